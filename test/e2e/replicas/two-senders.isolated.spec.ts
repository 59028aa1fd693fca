// Isolated: senders of two replicas send, are stopped and woken, and rotate the same secret.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { DeliverySender } from '../../../src/webhooks/sender/delivery-sender.js';
import {
  ReplicaWakeUp,
  SenderWakeUp,
  WAKE_UP_CHANNEL,
} from '../../../src/webhooks/sender/sender-wake-up.js';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { eventually } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import { partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { verifyStandard } from '../webhooks/signed-delivery.js';
import { someEvent } from '../webhooks/some-event.js';

vi.setConfig({ testTimeout: 60_000 });

const PATHS = ['/1', '/2', '/3', '/4'];
const EVENTS_A_ROUND = inForm({ short: 15, long: 100 });
/** Of two senders that are idle either may be first, and then does all of a round. */
const MAX_ROUNDS = 12;
const MAX_SECRETS = 10;
const PATIENT = { withinMs: 40_000 };
/** Longer than the announcer waits before it notifies again. */
const QUIET_MS = 200;

let replicas: TwoReplicas;
let receiver: WebhookReceiver;
let listener: Client;
let said: string[] = [];

beforeAll(async () => {
  replicas = await startTwoReplicas();
  receiver = await WebhookReceiver.start();
  listener = new Client({ connectionString: replicas.first.databaseUrl });
  await listener.connect();
  listener.on('notification', ({ payload }) => said.push(payload ?? ''));
  await listener.query(`LISTEN ${WAKE_UP_CHANNEL}`);
});

afterAll(async () => {
  await listener?.end();
  await replicas?.close();
  await receiver?.stop();
});

async function subscribe(path: string): Promise<{ id: string; secret: string }> {
  const { json } = await partnerClient(replicas.first).post<{
    subscriptionId: string;
    secret: string;
  }>('/webhooks', { url: receiver.url(path) });
  return { id: json.data.subscriptionId, secret: json.data.secret };
}

function publish(count = 1): Promise<void> {
  const { first } = replicas;
  const publisher = first.get<EventPublisher>(EventPublisher);
  return first.get<Database>(Database).transaction(async (tx) => {
    for (let event = 0; event < count; event += 1)
      await publisher.publish(tx, someEvent({ partnerId: 'demo' }));
  });
}

async function delivered(replica: TestService): Promise<number> {
  const { values } = await replica.get<WebhookMetrics>(WebhookMetrics).attempts.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

it('two senders post every delivery once when nothing fails', async () => {
  // Slow enough for the other sender to find the delivery still in flight.
  receiver.answerAlways({ status: 200, delayMs: 15 });
  for (const path of PATHS) await subscribe(path);
  let expected = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await publish(EVENTS_A_ROUND);
    expected += EVENTS_A_ROUND * PATHS.length;
    await eventually(async () => {
      const rows = await replicas.first
        .get<Database>(Database)
        .query('SELECT status, count(*)::int FROM webhook_deliveries GROUP BY status');
      expect(rows).toEqual([{ status: 'SUCCEEDED', count: expected }]);
    }, PATIENT);
    const shares = [await delivered(replicas.first), await delivered(replicas.second)];
    if (Math.min(...shares) > 0) break;
    expect(round).toBeLessThan(MAX_ROUNDS - 1);
  }
  const posts = receiver.deliveries.map((delivery) => `${delivery.path} ${delivery.json().id}`);
  expect(posts).toHaveLength(expected);
  expect(new Set(posts).size).toBe(expected);
});

it('two replicas that rotate a secret at the same time keep every secret, and count exactly', async () => {
  const { id, secret: first } = await subscribe('/rotated');
  const partners = [partnerClient(replicas.first), partnerClient(replicas.second)];
  const rotate = (replica: number) =>
    partners[replica].post<{ secret: string }>(`/webhooks/${id}/rotate-secret`);
  const answers = await Promise.all([0, 1, 0, 1, 0, 1].map(rotate));
  const secrets = [first, ...answers.map(({ json }) => json.data.secret)];
  expect(new Set(secrets).size).toBe(7);
  await publish();
  const delivery = await receiver.waitFor(({ path }) => path === '/rotated');
  for (const one of secrets) verifyStandard(delivery, one);
  for (let count = answers.length; count < MAX_SECRETS - 1; count += 1)
    expect((await rotate(0)).status).toBe(200);
  const last = await Promise.all([rotate(0), rotate(1)]);
  expect(last.map(({ status }) => String(status)).toSorted()).toEqual(['200', '429']);
});

describe('an event', () => {
  let heard = 0;

  beforeAll(async () => {
    // The first one writes, and the second one sends.
    await replicas.first.get<DeliverySender>(DeliverySender).stop();
    replicas.second.get<ReplicaWakeUp>(ReplicaWakeUp).listen(() => (heard += 1));
  });

  beforeEach(async () => {
    // What the test before has left to say is no word of this one.
    await sleep(2 * QUIET_MS);
    said = [];
    receiver.reset();
    heard = 0;
  });

  it('sends what another replica has written at once, without waiting for its own look', async () => {
    await publish();
    await eventually(() => expect(heard).toBeGreaterThan(0));
    await receiver.waitForCount(1);
  });

  it('is said once or twice for as many as are there at one moment', async () => {
    const wakeUp = replicas.first.get<SenderWakeUp>(SenderWakeUp);
    for (let event = 0; event < 300; event += 1) wakeUp.raise();
    await eventually(() => expect(said.length).toBeGreaterThan(0));
    await sleep(QUIET_MS);
    expect(said.length).toBeLessThanOrEqual(2);
  });

  it('is heard again after the connection was lost', async () => {
    const { rows } = await listener.query<{ ended: number }>(
      `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
       WHERE application_name = 'rinpath-listener' AND datname = current_database()`,
    );
    expect(rows[0].ended).toBe(2);
    // What is said meanwhile is found by the sender's own look.
    await publish();
    await receiver.waitForCount(1);
    await eventually(async () => {
      const before = heard;
      await publish();
      await sleep(QUIET_MS);
      expect(heard).toBeGreaterThan(before);
    });
  });
});
