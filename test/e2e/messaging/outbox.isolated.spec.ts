// Isolated: applies another configuration on two replicas, and kills one.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../src/platform/index.js';
import { eraseRecords } from '../../support/erase-records.js';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import { startService, startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { HttpGatewayServer, type Mood } from '../../support/sms-gateways.js';
import { SmsBench, someSms, WITHIN } from './sms-bench.js';

/** Longer than the head start of the replica that queued a message, and than the first pauses after failures. */
const SOON_SECONDS = 60;
const LATER_SECONDS = 4_400;
const LEASE_SECONDS = 20;
const MESSAGES = inForm({ short: 12, long: 60 });

let gateway: HttpGatewayServer;
let configuration: TestConfiguration;
let replicas: TwoReplicas;
let bench: SmsBench;
let second: SmsBench;

beforeAll(async () => {
  gateway = await new HttpGatewayServer().start();
  configuration = configurationWith({ sms: gateway.section });
  replicas = await startTwoReplicas({ configFile: configuration.file });
  bench = new SmsBench(replicas.first);
  second = new SmsBench(replicas.second);
});
beforeEach(() => gateway.reset());
afterAll(async () => {
  await replicas?.close();
  configuration?.remove();
  await gateway?.stop();
});

const travel = (seconds: number) => replicas.travel(seconds * 1_000);

const handOver = (id: string) => bench.smsOutbox.handOver(id);

/** The messages that the gateway received, and those that it accepted. */
const receivedOf = (id: string) => gateway.received.filter(({ fields }) => fields.reference === id);
const takenOf = (id: string) => gateway.taken.filter(({ fields }) => fields.reference === id);

/** Expects an end without sending, and a flag for the operator. */
async function isGivenUp(id: string, status: string): Promise<void> {
  expect(await bench.reaches(id, status)).toMatchObject({ content: null });
  const flags = await bench.database.query(
    `SELECT kind, detail ->> 'status' AS status FROM operator_flags WHERE detail ->> 'smsId' = $1`,
    [id],
  );
  expect(flags).toEqual([{ kind: 'SMS_NOT_SENT', status }]);
}

describe('a message that is handed over', () => {
  it('is at the gateway once when the calls come back, and the gateway’s id is kept', async () => {
    const id = await bench.put();
    const answers = await Promise.all(Array.from({ length: 6 }, () => handOver(id)));
    expect(answers).toContain(true);
    expect(await handOver(id)).toBe(true);
    expect(receivedOf(id)).toHaveLength(1);
    expect(takenOf(id)).toMatchObject([
      {
        to: '919876543210',
        text: expect.stringContaining('https://rinpath.example/hosted/start/token'),
        fields: { sender: 'RINPTH', template: '1107000000000000001', reference: id },
      },
    ]);
    expect(await bench.record(id)).toEqual({
      status: 'HANDED_OVER',
      attempts: 1,
      unknowns: 0,
      content: null,
      gateway: 'http',
      gatewayMessageId: `gw-${id}`,
      failure: null,
      isFree: true,
    });
    const isKnown = bench.database.transaction((tx) => bench.smsOutbox.isHandedOver(tx, id));
    expect(await isKnown).toBe(true);
    const figures = await replicas.first.get<Metrics>(Metrics).registry.metrics();
    expect(figures).toMatch(/sms_attempts_total\{kind="HOSTED_LINK",outcome="taken"\} \d+/);
    expect(figures).toContain('sms_oldest_waiting_seconds');
  });

  it('counts as handed over, though the gateway’s id of it cannot be kept as it is', async () => {
    const idOf = vi.spyOn(gateway, 'idOf').mockReturnValueOnce('gw\0-1');
    const id = await bench.put();
    expect(await handOver(id)).toBe(true);
    idOf.mockRestore();
    const record = { status: 'HANDED_OVER', attempts: 1, gatewayMessageId: 'gw-1' };
    expect(await bench.record(id)).toMatchObject(record);
  });
});

describe('a gateway that does not take a message', () => {
  it.each<Mood>(['IS_DOWN', 'TALKS_NONSENSE'])(
    'because it %s gets it in the background when it is well again; no table has number or text',
    async (mood) => {
      gateway.behave(mood);
      const id = await bench.put({ kind: 'ONE_TIME_CODE', values: { code: '737373' } });
      expect(await handOver(id)).toBe(false);
      expect(await bench.record(id)).toMatchObject({ status: 'WAITING' });
      const before = await bench.plainText();
      gateway.behave('TAKES');
      await travel(SOON_SECONDS);
      expect((await bench.reaches(id, 'HANDED_OVER')).attempts).toBeGreaterThan(1);
      expect(takenOf(id)).toHaveLength(1);
      const everything = before + (await bench.plainText());
      for (const secret of ['9876543210', '737373']) expect(everything).not.toContain(secret);
    },
  );

  it('for good ends it, tells the operator and is not asked again', async () => {
    gateway.behave('REFUSES');
    const id = await bench.put();
    expect(await handOver(id)).toBe(false);
    await isGivenUp(id, 'REFUSED');
    gateway.behave('TAKES');
    expect(await handOver(id)).toBe(false);
    expect(receivedOf(id)).toHaveLength(1);
  });

  it('and whose answers make no sense is not given the same message forever', async () => {
    gateway.behave('TALKS_NONSENSE');
    const id = await bench.put();
    await handOver(id);
    expect(await bench.record(id)).toMatchObject({ unknowns: 1 });
    await bench.database.query('UPDATE sms_messages SET unknowns = 8 WHERE id = $1', [id]);
    await travel(LATER_SECONDS);
    expect(await bench.tried(id, 2)).toMatchObject({ status: 'WAITING', unknowns: 9 });
    await travel(LATER_SECONDS);
    await isGivenUp(id, 'GIVEN_UP');
    expect(receivedOf(id)).toHaveLength(3);
  });
});

it('a milestone that may have gone is not sent again; one that has certainly not is sent later', async () => {
  const put = () => bench.put({ kind: 'OFFERS_READY' });
  const [unknown, down] = [await put(), await put()];
  gateway.behave('FAILS');
  await handOver(unknown);
  gateway.behave('IS_DOWN');
  expect(await handOver(down)).toBe(false);
  await isGivenUp(unknown, 'GIVEN_UP');
  gateway.behave('TAKES');
  await travel(LATER_SECONDS);
  await bench.reaches(down, 'HANDED_OVER');
  expect(await handOver(unknown)).toBe(false);
  expect([receivedOf(unknown).length, takenOf(down).length]).toEqual([1, 1]);
});

describe('a code that is no longer valid', () => {
  it('is not sent, and does not lie around', async () => {
    gateway.behave('IS_DOWN');
    const id = await bench.put({ kind: 'ONE_TIME_CODE', validForSeconds: 300 });
    expect(await handOver(id)).toBe(false);
    await travel(301);
    gateway.behave('TAKES');
    expect(await bench.reaches(id, 'EXPIRED')).toMatchObject({ content: null });
    expect(await handOver(id)).toBe(false);
    expect(takenOf(id)).toEqual([]);
  });

  it('or cannot be read is not sent where it has not been ended yet, and holds up no other message', async () => {
    const ends = [bench, second].map((one) =>
      vi.spyOn(one.messages, 'expire').mockResolvedValue(0),
    );
    gateway.behave('IS_DOWN');
    const id = await bench.put({ kind: 'ONE_TIME_CODE', validForSeconds: 300 });
    const unreadable = await bench.put();
    await bench.database.query(
      `UPDATE sms_messages SET content_sealed = 'v1:gone:AAAA' WHERE id = $1`,
      [unreadable],
    );
    for (const one of [id, unreadable]) expect(await handOver(one)).toBe(false);
    expect(await bench.record(unreadable)).toMatchObject({ status: 'WAITING', unknowns: 0 });
    await travel(301);
    const { attempts } = await bench.record(id);
    gateway.behave('TAKES');
    // Due messages are sent in order, so the older one would have been sent before this one.
    const sound = await bench.put();
    await travel(SOON_SECONDS);
    await bench.reaches(sound, 'HANDED_OVER');
    expect(await bench.record(id)).toMatchObject({ status: 'WAITING', attempts });
    expect(takenOf(id)).toEqual([]);
    for (const one of ends) one.mockRestore();
    await bench.database.query('DELETE FROM sms_messages WHERE id = $1', [unreadable]);
  });
});

describe('erasing', () => {
  it('ends what has not left, for that subject and partner, also while the gateway is being asked', async () => {
    gateway.behave('IS_STUCK');
    const sms = someSms();
    const [asked, waiting] = [await bench.put(sms), await bench.put(sms)];
    const other = await bench.put();
    const answer = handOver(asked);
    await eventually(() => receivedOf(asked).length === 1, WITHIN);
    const erase = (partnerId: string) =>
      eraseRecords(replicas.first, { partnerId, id: sms.subjectId });
    expect([await erase('limited'), await erase('demo'), await erase('demo')]).toEqual([0, 2, 0]);
    gateway.behave('IS_DOWN');
    await answer;
    gateway.behave('TAKES');
    await travel(SOON_SECONDS);
    await bench.reaches(other, 'HANDED_OVER');
    for (const id of [asked, waiting]) {
      expect(await handOver(id)).toBe(false);
      expect(await bench.record(id)).toMatchObject({ status: 'CANCELLED', content: null });
      expect(takenOf(id)).toEqual([]);
    }
  });
});

describe('two replicas', () => {
  it('send each message once, the background’s and the callers’ alike', async () => {
    const ids = await Promise.all(
      Array.from({ length: MESSAGES }, (_, index) => (index % 2 ? bench : second).put()),
    );
    const callers = ids.filter((_, index) => index % 3 === 0);
    await Promise.all([
      ...callers.flatMap((id) => [handOver(id), second.smsOutbox.handOver(id)]),
      travel(10),
    ]);
    for (const id of ids) {
      expect(await bench.reaches(id, 'HANDED_OVER')).toMatchObject({ attempts: 1 });
      expect(receivedOf(id)).toHaveLength(1);
    }
  });
});

describe('a holder that was killed', () => {
  it('keeps its message until the lease expires; then the other sends it, but no milestone', async () => {
    const [id, milestone] = [await bench.put(), await bench.put({ kind: 'OFFERS_READY' })];
    expect(await bench.messages.claimOne(id)).toMatchObject({ id, attempts: 1 });
    await bench.messages.claimOne(milestone);
    await travel(LEASE_SECONDS - 5);
    expect(await second.smsOutbox.handOver(id)).toBe(false);
    expect(await second.messages.claimOne(id)).toBeNull();
    expect(gateway.received).toEqual([]);
    await travel(6);
    expect(await second.reaches(id, 'HANDED_OVER')).toMatchObject({ attempts: 2 });
    expect(receivedOf(id)).toHaveLength(1);
    // The outcome is unknown, so it is not sent again.
    expect(await second.reaches(milestone, 'GIVEN_UP')).toMatchObject({ unknowns: 1 });
    expect(receivedOf(milestone)).toEqual([]);
  });

  it('that comes back to life has nothing more to say', async () => {
    gateway.behave('IS_DOWN');
    const id = await bench.put();
    const stale = (await bench.messages.claimOne(id))!;
    await travel(LEASE_SECONDS + 1);
    await second.tried(id, 2);
    const { messages } = bench;
    expect(await messages.recordHandedOver(stale, 'http', 'late')).toBe(false);
    await messages.postpone(stale, { failure: 'late', waitMs: 1, isUnknown: true });
    const end = bench.database.transaction((tx) =>
      messages.recordEnd(tx, stale, 'REFUSED', 'late'),
    );
    expect(await end).toBe(false);
    const record = await bench.record(id);
    expect(record).toMatchObject({ status: 'WAITING', unknowns: 1, failure: 'status 503' });
    expect(record.content).not.toBeNull();
  });
});

it('a replica that stops lets what is at the gateway end, and begins nothing more', async () => {
  const { databaseUrl } = replicas.first;
  const third = await startService({ databaseUrl, configFile: configuration.file });
  const { smsOutbox } = new SmsBench(third);
  gateway.behave('IS_STUCK');
  const id = await bench.put();
  const answer = smsOutbox.handOver(id);
  await eventually(() => receivedOf(id).length === 1, WITHIN);
  const closing = third.close();
  // The other replica skips a message that is being sent.
  expect(await second.smsOutbox.handOver(id)).toBe(false);
  gateway.behave('TAKES');
  await answer;
  await closing;
  expect(await bench.record(id)).toMatchObject({ status: 'HANDED_OVER', attempts: 1 });
  expect(receivedOf(id)).toHaveLength(1);
  expect(await smsOutbox.handOver(await bench.put())).toBe(false);
});
