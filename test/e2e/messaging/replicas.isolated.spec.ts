// Isolated: applies another configuration on two replicas.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SmsMessagesRepository } from '../../../src/messaging/store/sms-messages.repository.js';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { startService, startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { HttpGatewayServer } from '../../support/sms-gateways.js';
import { SmsBench, WITHIN } from './sms-bench.js';

const MESSAGES = 60;
const LEASE_SECONDS = 20;

let gateway: HttpGatewayServer;
let configuration: TestConfiguration;
let replicas: TwoReplicas;
let first: SmsBench;
let second: SmsBench;

beforeAll(async () => {
  gateway = await new HttpGatewayServer().start();
  configuration = configurationWith({ sms: gateway.section });
  replicas = await startTwoReplicas({ configFile: configuration.file });
  first = new SmsBench(replicas.first);
  second = new SmsBench(replicas.second);
});
beforeEach(() => gateway.reset());
afterAll(async () => {
  await replicas?.close();
  configuration?.remove();
  await gateway?.stop();
});

const receivedOf = (id: string) => gateway.received.filter(({ fields }) => fields.reference === id);
const messagesOf = (bench: SmsBench) =>
  bench.service.get<SmsMessagesRepository>(SmsMessagesRepository);

describe('two replicas', () => {
  it('send each message once, the background’s and the callers’ alike', async () => {
    const ids = await Promise.all(
      Array.from({ length: MESSAGES }, (_, index) => (index % 2 ? first : second).put()),
    );
    const callers = ids.filter((_, index) => index % 3 === 0);
    await Promise.all([
      ...callers.flatMap((id) => [first.smsOutbox.handOver(id), second.smsOutbox.handOver(id)]),
      replicas.travel(10_000),
    ]);
    await eventually(async () => {
      const rows = await first.database.query(
        'SELECT status, attempts, count(*)::int FROM sms_messages WHERE id = ANY ($1) GROUP BY 1, 2',
        [ids],
      );
      expect(rows).toEqual([{ status: 'HANDED_OVER', attempts: 1, count: MESSAGES }]);
    }, WITHIN);
    const references = gateway.received.map(({ fields }) => fields.reference);
    expect(references.toSorted()).toEqual(ids.toSorted());
  });

  it('pass over what the other is just sending', async () => {
    gateway.behave('IS_STUCK');
    const id = await first.put();
    const answer = first.smsOutbox.handOver(id);
    await eventually(() => gateway.received.length === 1, WITHIN);
    expect(await second.smsOutbox.handOver(id)).toBe(false);
    gateway.behave('TAKES');
    await answer;
    await first.reaches(id, 'HANDED_OVER');
    expect(gateway.received).toHaveLength(1);
  });
});

describe('a holder that was killed', () => {
  it('keeps its message until the lease runs out; then the other sends it', async () => {
    const id = await first.put();
    const claim = await messagesOf(first).claimOne(id);
    expect(claim).toMatchObject({ id, attempts: 1 });
    await replicas.travel((LEASE_SECONDS - 5) * 1_000);
    expect(await second.smsOutbox.handOver(id)).toBe(false);
    expect(await messagesOf(second).claimOne(id)).toBeNull();
    expect(gateway.received).toEqual([]);
    await replicas.travel(6_000);
    expect(await second.reaches(id, 'HANDED_OVER')).toMatchObject({ attempts: 2 });
    expect(gateway.received).toHaveLength(1);
  });

  it('of a milestone may have sent it: it is given up', async () => {
    const id = await first.put({ kind: 'OFFERS_READY' });
    await messagesOf(first).claimOne(id);
    await replicas.travel((LEASE_SECONDS + 1) * 1_000);
    expect(await second.reaches(id, 'GIVEN_UP')).toMatchObject({ unknowns: 1, content: null });
    expect(receivedOf(id)).toEqual([]);
  });

  it('that comes back to life has nothing more to say', async () => {
    gateway.behave('IS_DOWN');
    const id = await first.put();
    const stale = (await messagesOf(first).claimOne(id))!;
    await replicas.travel((LEASE_SECONDS + 1) * 1_000);
    await second.tried(id, 2);
    const messages = messagesOf(first);
    expect(await messages.recordHandedOver(stale, 'http', 'late')).toBe(false);
    await messages.postpone(stale, { failure: 'late', waitMs: 1, isUnknown: true });
    const end = first.database.transaction((tx) =>
      messages.recordEnd(tx, stale, 'REFUSED', 'late'),
    );
    expect(await end).toBe(false);
    const record = await first.record(id);
    expect(record).toMatchObject({ status: 'WAITING', unknowns: 1, failure: 'status 503' });
    expect(record.content).not.toBeNull();
  });

  it('of an expired code leaves nothing of it behind once its lease has run out', async () => {
    const id = await first.put({ kind: 'ONE_TIME_CODE', validForSeconds: 10 });
    await messagesOf(first).claimOne(id);
    await replicas.travel((LEASE_SECONDS + 1) * 1_000);
    expect(await first.reaches(id, 'EXPIRED')).toMatchObject({ content: null });
    expect(receivedOf(id)).toEqual([]);
  });
});

describe('a replica that stops', () => {
  it('lets what is at the gateway end, and begins nothing more', async () => {
    const third = await startService({
      databaseUrl: replicas.first.databaseUrl,
      configFile: configuration.file,
    });
    const bench = new SmsBench(third);
    gateway.behave('IS_STUCK');
    const id = await bench.put();
    const answer = bench.smsOutbox.handOver(id);
    await eventually(() => receivedOf(id).length === 1, WITHIN);
    const closing = third.close();
    gateway.behave('TAKES');
    await answer;
    await closing;
    expect(await first.record(id)).toMatchObject({ status: 'HANDED_OVER', attempts: 1 });
    expect(await bench.smsOutbox.handOver(await first.put())).toBe(false);
  });
});
