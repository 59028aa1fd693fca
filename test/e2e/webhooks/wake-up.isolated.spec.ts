// Isolated: the sender of one replica is stopped, and another one is woken.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { DeliverySender } from '../../../src/webhooks/sender/delivery-sender.js';
import {
  ReplicaWakeUp,
  SenderWakeUp,
  WAKE_UP_CHANNEL,
} from '../../../src/webhooks/sender/sender-wake-up.js';
import { eventually } from '../../support/eventually.js';
import { partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

/** Longer than the announcer waits before it says something again. */
const QUIET_MS = 200;

let replicas: TwoReplicas;
let receiver: WebhookReceiver;
let listener: Client;
/** What has been said on the channel. */
let said: string[] = [];
/** How often the second replica has heard the first. */
let heard = 0;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  receiver = await WebhookReceiver.start();
  await partnerClient(replicas.first).post('/webhooks', { url: receiver.url() });
  // The first one writes, and the second one sends.
  await replicas.first.get<DeliverySender>(DeliverySender).stop();
  replicas.second.get<ReplicaWakeUp>(ReplicaWakeUp).listen(() => (heard += 1));
});

afterAll(async () => {
  await receiver.stop();
  await replicas.close();
});

beforeEach(async () => {
  listener = new Client({ connectionString: replicas.first.databaseUrl });
  await listener.connect();
  listener.on('notification', ({ payload }) => said.push(payload ?? ''));
  await listener.query(`LISTEN ${WAKE_UP_CHANNEL}`);
  // What the test before has left to say is no word of this one.
  await sleep(2 * QUIET_MS);
  said = [];
  receiver.reset();
  heard = 0;
});

afterEach(() => listener.end());

function publish(): Promise<void> {
  const { first } = replicas;
  return first.get<Database>(Database).transaction(async (tx) => {
    await first.get<EventPublisher>(EventPublisher).publish(tx, someEvent({ partnerId: 'demo' }));
  });
}

describe('an event', () => {
  it('sends what another replica has written at once, without waiting for its own look', async () => {
    await publish();
    await eventually(() => expect(heard).toBeGreaterThan(0));
    await receiver.waitForCount(1);
  });

  it('is said once for many', async () => {
    const startedAt = performance.now();
    // More at once would wait too long for one of the pool's connections.
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(Array.from({ length: 50 }, publish));
    }
    await receiver.waitForCount(300, 30_000);
    const gaps = (performance.now() - startedAt) / 25;
    expect(said.length).toBeGreaterThan(0);
    expect(said.length).toBeLessThanOrEqual(Math.min(150, gaps + 3));
  });

  it('is said once or twice for as many as are there at one moment', async () => {
    const wakeUp = replicas.first.get<SenderWakeUp>(SenderWakeUp);
    for (let event = 0; event < 300; event += 1) wakeUp.raise();
    await eventually(() => expect(said.length).toBeGreaterThan(0));
    await sleep(QUIET_MS);
    expect(said.length).toBeLessThanOrEqual(2);
  });

  it('is said after the commit, and not when there is none', async () => {
    const { first } = replicas;
    const publisher = first.get<EventPublisher>(EventPublisher);
    const failing = first.get<Database>(Database).transaction(async (tx) => {
      await publisher.publish(tx, someEvent({ partnerId: 'demo' }));
      await sleep(QUIET_MS);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    await sleep(QUIET_MS);
    expect(said).toEqual([]);
    await publish();
    await eventually(() => expect(said).toHaveLength(1));
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
