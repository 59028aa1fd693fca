// Isolated: applies another configuration.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SmsMessagesRepository } from '../../../src/messaging/store/sms-messages.repository.js';
import { Metrics } from '../../../src/platform/index.js';
import { eraseRecords } from '../../support/erase-records.js';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { startService, type OwnService } from '../../support/service.js';
import { HttpGatewayServer, type Mood } from '../../support/sms-gateways.js';
import { SmsBench, someSms, WITHIN } from './sms-bench.js';
import type { SmsKind } from '../../../src/settings/index.js';

/** Longer than the head start of whoever put a message, and than the first waits after failures. */
const SOON_SECONDS = 60;
const LATER_SECONDS = 4_400;

let gateway: HttpGatewayServer;
let configuration: TestConfiguration;
let service: OwnService;
let bench: SmsBench;

beforeAll(async () => {
  gateway = await new HttpGatewayServer().start();
  configuration = configurationWith({ sms: gateway.section });
  service = await startService({ configFile: configuration.file });
  bench = new SmsBench(service);
});
beforeEach(() => gateway.reset());
afterAll(async () => {
  await service?.close();
  configuration?.remove();
  await gateway?.stop();
});

/** What the gateway took of a message. */
const takenOf = (id: string) => gateway.taken.filter(({ fields }) => fields.reference === id);
const receivedOf = (id: string) => gateway.received.filter(({ fields }) => fields.reference === id);

describe('a message that is handed over', () => {
  it('is at the gateway when the call comes back, and the gateway’s id is kept', async () => {
    const id = await bench.put();
    expect(await bench.smsOutbox.handOver(id)).toBe(true);
    expect(takenOf(id)).toMatchObject([
      {
        to: '919876543210',
        fields: { sender: 'RINPTH', template: '1107000000000000001', reference: id },
      },
    ]);
    expect(takenOf(id)[0].text).toContain('https://rinpath.example/hosted/start/token');
    expect(await bench.record(id)).toEqual({
      status: 'HANDED_OVER',
      attempts: 1,
      unknowns: 0,
      content: null,
      gateway: 'http',
      gatewayMessageId: `gw-${id}`,
      failure: null,
    });
    const isKnown = (tx: Parameters<typeof bench.smsOutbox.isHandedOver>[0]) =>
      bench.smsOutbox.isHandedOver(tx, id);
    expect(await bench.database.transaction(isKnown)).toBe(true);
  });

  it('counts as handed over, though the gateway’s id of it cannot be kept as it is', async () => {
    const right = gateway.idOf;
    gateway.idOf = () => 'gw\0-1';
    try {
      const id = await bench.put();
      expect(await bench.smsOutbox.handOver(id)).toBe(true);
      const { status, attempts, gatewayMessageId } = await bench.record(id);
      expect([status, attempts, gatewayMessageId]).toEqual(['HANDED_OVER', 1, 'gw-1']);
    } finally {
      gateway.idOf = right;
    }
  });

  it.each<SmsKind>(['HOSTED_LINK', 'ONE_TIME_CODE', 'APPLICATION_LINK'])(
    '%s goes out in Hindi under the Hindi text’s id, or in English where it has none',
    async (kind) => {
      const id = await bench.put({ kind, language: 'hi' });
      expect(await bench.smsOutbox.handOver(id)).toBe(true);
      const [{ text, fields }] = takenOf(id);
      const isRegistered = kind !== 'ONE_TIME_CODE';
      expect(/[\u0900-\u097f]/.test(text)).toBe(isRegistered);
      expect(fields.template).toMatch(/^110700000000000000[236]$/);
    },
  );

  it('is not sent again when it is handed over once more', async () => {
    const id = await bench.put();
    expect(await bench.smsOutbox.handOver(id)).toBe(true);
    expect(await bench.smsOutbox.handOver(id)).toBe(true);
    expect(receivedOf(id)).toHaveLength(1);
  });

  it('is sent once when several hand it over at the same moment', async () => {
    const id = await bench.put();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => bench.smsOutbox.handOver(id)),
    );
    expect(answers).toContain(true);
    expect(receivedOf(id)).toHaveLength(1);
  });

  it('leaves neither number nor text in the tables, before or after', async () => {
    gateway.behave('IS_DOWN');
    const id = await bench.put({ kind: 'ONE_TIME_CODE', values: { code: '737373' } });
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
    const before = await bench.plainText();
    gateway.behave('TAKES');
    await bench.travel(SOON_SECONDS);
    await bench.reaches(id, 'HANDED_OVER');
    const everything = before + (await bench.plainText());
    for (const secret of ['9876543210', '737373']) expect(everything).not.toContain(secret);
  });

  it('counts in the figures', async () => {
    const id = await bench.put();
    await bench.smsOutbox.handOver(id);
    const text = await service.get<Metrics>(Metrics).registry.metrics();
    expect(text).toMatch(/sms_attempts_total\{kind="HOSTED_LINK",outcome="taken"\} \d+/);
    expect(text).toContain('sms_oldest_waiting_seconds');
  });
});

describe('a message whose caller goes away', () => {
  it('is not there when its transaction fails', async () => {
    let id = '';
    const failing = bench.database.transaction(async (tx) => {
      ({ id } = await bench.smsOutbox.put(tx, someSms()));
      throw new Error('the change did not come to pass');
    });
    await expect(failing).rejects.toThrow('did not come to pass');
    expect(await bench.record(id)).toBeUndefined();
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
  });

  it('leaves in the background, once', async () => {
    const id = await bench.put();
    await bench.travel(SOON_SECONDS);
    await bench.reaches(id, 'HANDED_OVER');
    expect(receivedOf(id)).toHaveLength(1);
  });

  it('is refused when a value is missing that its text needs', async () => {
    await expect(bench.put({ kind: 'REFUND_MADE', values: { link: 'x' } })).rejects.toThrow(
      'REFUND_MADE lacks amount',
    );
  });
});

describe('a gateway that does not take a message', () => {
  it.each<Mood>(['IS_DOWN', 'THROTTLES', 'LOCKS_OUT', 'HANGS_UP', 'FAILS', 'TALKS_NONSENSE'])(
    'because it %s gets it in the background when it is well again, under the same reference',
    async (mood) => {
      gateway.behave(mood);
      const id = await bench.put();
      expect(await bench.smsOutbox.handOver(id)).toBe(false);
      expect(await bench.record(id)).toMatchObject({ status: 'WAITING' });
      gateway.behave('TAKES');
      await bench.travel(SOON_SECONDS);
      expect((await bench.reaches(id, 'HANDED_OVER')).attempts).toBeGreaterThan(1);
      expect(takenOf(id)).toHaveLength(1);
    },
  );

  it('is asked later and later, not all the time', async () => {
    gateway.behave('IS_DOWN');
    const id = await bench.put();
    await bench.smsOutbox.handOver(id);
    for (let attempt = 1; attempt < 5; attempt += 1) {
      const { attempts } = await bench.tried(id, attempt);
      const [{ seconds }] = await bench.database.query<{ seconds: number }>(
        `SELECT ceil(extract(epoch FROM next_attempt_at - app_now()))::int AS seconds
         FROM sms_messages WHERE id = $1`,
        [id],
      );
      // Doubling from two seconds, up to a fifth more; what has passed meanwhile is less.
      expect(seconds).toBeLessThanOrEqual(Math.ceil(2 ** attempts * 1.2));
      expect(seconds).toBeGreaterThan(attempts < 4 ? Number.NEGATIVE_INFINITY : 8);
      await bench.travel(Math.max(0, seconds) + 1);
    }
  });

  it('does not hold its caller for long, and the message still goes only once', async () => {
    gateway.behave('IS_STUCK');
    const id = await bench.put();
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
    expect(await bench.record(id)).toMatchObject({ status: 'WAITING', attempts: 1 });
    gateway.behave('TAKES');
    expect(await bench.reaches(id, 'HANDED_OVER')).toMatchObject({ attempts: 1 });
    expect(receivedOf(id)).toHaveLength(1);
  });

  it('for good ends it, tells the operator and is not asked again', async () => {
    gateway.behave('REFUSES');
    const sms = someSms();
    const { id } = await bench.database.transaction((tx) => bench.smsOutbox.put(tx, sms));
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
    expect(await bench.record(id)).toMatchObject({
      status: 'REFUSED',
      content: null,
      failure: 'status 422',
    });
    expect(await bench.flags(sms.subjectId)).toEqual([
      {
        kind: 'SMS_NOT_SENT',
        detail: { smsId: id, kind: 'HOSTED_LINK', status: 'REFUSED', failure: 'status 422' },
      },
    ]);
    gateway.behave('TAKES');
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
    expect(receivedOf(id)).toHaveLength(1);
  });

  it('and whose answers make no sense is not given the same message forever', async () => {
    gateway.behave('TALKS_NONSENSE');
    const sms = someSms();
    const { id } = await bench.database.transaction((tx) => bench.smsOutbox.put(tx, sms));
    await bench.smsOutbox.handOver(id);
    for (let attempt = 2; attempt <= 10; attempt += 1) {
      await bench.travel(LATER_SECONDS);
      await bench.tried(id, attempt);
    }
    expect(await bench.reaches(id, 'GIVEN_UP')).toMatchObject({ content: null });
    expect(receivedOf(id)).toHaveLength(10);
    expect(await bench.flags(sms.subjectId)).toMatchObject([
      { kind: 'SMS_NOT_SENT', detail: { status: 'GIVEN_UP' } },
    ]);
  });
});

describe('a milestone', () => {
  it.each<Mood>(['HANGS_UP', 'FAILS', 'TALKS_NONSENSE'])(
    'that may have gone to a gateway that %s is not sent again, and is put before the operator',
    async (mood) => {
      gateway.behave(mood);
      const sms = someSms({ kind: 'OFFERS_READY' });
      const { id } = await bench.database.transaction((tx) => bench.smsOutbox.put(tx, sms));
      await bench.smsOutbox.handOver(id);
      expect(await bench.reaches(id, 'GIVEN_UP')).toMatchObject({ content: null });
      gateway.behave('TAKES');
      await bench.travel(LATER_SECONDS);
      expect(await bench.smsOutbox.handOver(id)).toBe(false);
      expect(receivedOf(id)).toHaveLength(1);
      expect(await bench.flags(sms.subjectId)).toMatchObject([
        { kind: 'SMS_NOT_SENT', detail: { status: 'GIVEN_UP' } },
      ]);
    },
  );

  it('that the gateway has certainly not taken is sent later', async () => {
    gateway.behave('IS_DOWN');
    const id = await bench.put({ kind: 'OFFERS_READY' });
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
    gateway.behave('TAKES');
    await bench.travel(SOON_SECONDS);
    await bench.reaches(id, 'HANDED_OVER');
    expect(takenOf(id)).toHaveLength(1);
  });
});

describe('a code that is no longer valid', () => {
  it('is not sent, and does not lie around', async () => {
    gateway.behave('IS_DOWN');
    const id = await bench.put({ kind: 'ONE_TIME_CODE', validForSeconds: 300 });
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
    const tried = receivedOf(id).length;
    await bench.travel(301);
    gateway.behave('TAKES');
    expect(await bench.reaches(id, 'EXPIRED')).toMatchObject({ content: null });
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
    // What was under way when the time passed may have been tried, but never taken.
    expect(receivedOf(id).length).toBeLessThanOrEqual(tried + 1);
    expect(takenOf(id)).toEqual([]);
  });

  it('is not sent in the background either, where it has not been ended yet', async () => {
    const messages = bench.service.get<SmsMessagesRepository>(SmsMessagesRepository);
    const ends = vi.spyOn(messages, 'expire').mockResolvedValue(0);
    try {
      gateway.behave('IS_DOWN');
      const id = await bench.put({ kind: 'ONE_TIME_CODE', validForSeconds: 300 });
      expect(await bench.smsOutbox.handOver(id)).toBe(false);
      await bench.travel(301);
      const { attempts } = await bench.record(id);
      gateway.behave('TAKES');
      // What is due goes in its turn, so the older one would have been processed before this.
      const sound = await bench.put();
      await bench.travel(SOON_SECONDS);
      await bench.reaches(sound, 'HANDED_OVER');
      expect(await bench.record(id)).toMatchObject({ status: 'WAITING', attempts });
      expect(takenOf(id)).toEqual([]);
    } finally {
      ends.mockRestore();
    }
  });

  it('says for how many minutes it is valid', async () => {
    const id = await bench.put({ kind: 'ONE_TIME_CODE', validForSeconds: 300 });
    await bench.smsOutbox.handOver(id);
    expect(takenOf(id)[0].text).toMatch(/^482913 is your Rinpath code, valid for [45] min;/);
  });
});

describe('a message whose content cannot be read', () => {
  it('waits for the key to come back, and holds up nobody else', async () => {
    const broken = await bench.put();
    await bench.database.query(
      `UPDATE sms_messages SET content_sealed = 'v1:gone:AAAA' WHERE id = $1`,
      [broken],
    );
    expect(await bench.smsOutbox.handOver(broken)).toBe(false);
    expect(await bench.record(broken)).toMatchObject({ status: 'WAITING', unknowns: 0 });
    const sound = await bench.put();
    await bench.travel(SOON_SECONDS);
    await bench.reaches(sound, 'HANDED_OVER');
    await bench.database.query('DELETE FROM sms_messages WHERE id = $1', [broken]);
  });
});

describe('erasing', () => {
  it('ends what has not left, for that subject and partner alone', async () => {
    gateway.behave('IS_DOWN');
    const sms = someSms();
    const { id } = await bench.database.transaction((tx) => bench.smsOutbox.put(tx, sms));
    const other = await bench.put();
    const erase = (partnerId: string) => eraseRecords(service, { partnerId, id: sms.subjectId });
    expect(await erase('limited')).toBe(0);
    expect(await erase('demo')).toBe(1);
    expect(await erase('demo')).toBe(0);
    expect(await bench.record(id)).toMatchObject({ status: 'CANCELLED', content: null });
    expect(await bench.smsOutbox.handOver(id)).toBe(false);
    gateway.behave('TAKES');
    await bench.travel(SOON_SECONDS);
    await bench.reaches(other, 'HANDED_OVER');
    expect(takenOf(id)).toEqual([]);
  });

  it('while the gateway is just being asked leaves nothing behind', async () => {
    gateway.behave('IS_STUCK');
    const sms = someSms();
    const { id } = await bench.database.transaction((tx) => bench.smsOutbox.put(tx, sms));
    const answer = bench.smsOutbox.handOver(id);
    await eventually(() => receivedOf(id).length === 1, WITHIN);
    await eraseRecords(service, { partnerId: 'demo', id: sms.subjectId });
    gateway.behave('IS_DOWN');
    await answer;
    expect(await bench.record(id)).toMatchObject({ status: 'CANCELLED', content: null });
  });
});
