// Isolated: stops and wakes senders of two replicas, and rotates a secret on both.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { DeliverySender } from '../../../src/webhooks/sender/delivery-sender.js';
import { ReplicaWakeUp, WAKE_UP_CHANNEL } from '../../../src/webhooks/sender/sender-wake-up.js';
import { SenderWakeUp } from '../../../src/webhooks/sender/sender-wake-up.js';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { eventually } from '../../support/eventually.js';
import { journeyIn } from '../../support/journey-driver.js';
import { inForm } from '../../support/long-form.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { partnerClient, type PartnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { verifyStandard } from '../webhooks/signed-delivery.js';
import { someEvent } from '../webhooks/some-event.js';
import { ofFile } from '../../support/of-file.js';

// Many journeys each; slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const JOURNEYS_A_ROUND = inForm({ short: 3, long: 15 });

const FEWEST_ROUNDS = inForm({ short: 1, long: 2 });

/** The first of two idle senders may take every lane of a round. */
const MAX_ROUNDS = 12;
const PATHS = ['/a', '/b', '/c'];

const EVENTS_A_JOURNEY = 7;

let replicas: TwoReplicas;

let records: JourneyRecords;

let receivers: WebhookReceiver[];

beforeAll(async () => {
  replicas = await startTwoReplicas();
  records = new JourneyRecords(replicas.first.databaseUrl);
  receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
});

afterAll(async () => {
  await records?.close();
  await replicas?.close();
  for (const receiver of receivers ?? []) await receiver.stop();
});

async function delivered(replica: TestService): Promise<number> {
  const { values } = await replica.get<WebhookMetrics>(WebhookMetrics).attempts.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

async function shares(): Promise<number[]> {
  return [await delivered(replicas.first), await delivered(replicas.second)];
}

function partners(): [PartnerClient, PartnerClient] {
  return [partnerClient(replicas.first), partnerClient(replicas.second)];
}

function publish(): Promise<void> {
  const { first } = replicas;
  return first.get<Database>(Database).transaction(async (tx) => {
    await first
      .get<EventPublisher>(EventPublisher)
      .publishAll(tx, [someEvent({ partnerId: 'demo' })]);
  });
}

/** Runs journeys on both replicas at once, until every event so far is delivered and no sender keeps a lane. */
async function round(number: number): Promise<number> {
  await Promise.all(
    Array.from({ length: JOURNEYS_A_ROUND }, (_, index) =>
      journeyIn(partners()[(number + index) % 2], 'SANCTIONED'),
    ),
  );
  const expected = number * JOURNEYS_A_ROUND * EVENTS_A_JOURNEY * receivers.length * PATHS.length;
  await eventually(
    async () => {
      const rows = await records.query(
        `SELECT status, attempts, count(*)::int FROM webhook_deliveries GROUP BY 1, 2`,
      );
      expect(rows).toEqual([{ status: 'SUCCEEDED', attempts: 1, count: expected }]);
      const kept = await records.query(
        `SELECT subscription_id FROM webhook_lanes WHERE lease_until IS NOT NULL`,
      );
      expect(kept).toEqual([]);
    },
    { withinMs: 40_000 },
  );
  return expected;
}

describe('two replicas’ senders', () => {
  it('post every delivery once when nothing fails', async () => {
    for (const receiver of receivers) {
      // Slow enough for the other sender to find the delivery still in progress.
      receiver.answerAlways({ status: 200, delayMs: 15 });
      for (const path of PATHS) {
        const { status } = await partners()[0].post('/webhooks', { url: receiver.url(path) });
        expect(status).toBe(200);
      }
    }
    let expected = 0;
    for (let number = 1; number <= MAX_ROUNDS; number += 1) {
      expected = await round(number);
      if (number >= FEWEST_ROUNDS && Math.min(...(await shares())) > 0) break;
    }
    for (const receiver of receivers) {
      const ids = receiver.deliveries.map((post) => `${post.path} ${post.json().id}`);
      expect(ids).toHaveLength(expected / receivers.length);
      expect(new Set(ids).size).toBe(expected / receivers.length);
    }
    // A sender counts a delivery shortly after the commit.
    await eventually(async () => {
      const [first, second] = await shares();
      expect(first + second).toBe(expected);
      expect(Math.min(first, second)).toBeGreaterThan(0);
    });
  });
});

describe('two replicas that rotate a secret', () => {
  const MOST = 10;
  let id: string;
  let first: string;

  beforeAll(async () => {
    const [partner] = partners();
    const { json } = await partner.post<{ subscriptionId: string; secret: string }>('/webhooks', {
      url: receivers[0].url('/rotated'),
    });
    ({ subscriptionId: id, secret: first } = json.data);
  });

  const rotate = (replica: number) =>
    partners()[replica].post<{ secret: string }>(`/webhooks/${id}/rotate-secret`);

  it('at the same time keep every secret, and are counted exactly', async () => {
    const answers = await Promise.all([0, 1, 0, 1, 0, 1].map(rotate));
    const secrets = [first, ...answers.map(({ json }) => json.data.secret)];
    expect(new Set(secrets).size).toBe(7);
    await publish();
    const delivery = await receivers[0].waitFor(({ path }) => path === '/rotated');
    for (const one of secrets) verifyStandard(delivery, one);
    for (let count = answers.length; count < MOST - 1; count += 1)
      expect((await rotate(0)).status).toBe(200);
    const last = await Promise.all([rotate(0), rotate(1)]);
    expect(last.map(({ status }) => String(status)).toSorted()).toEqual(['200', '429']);
  });
});

describe('an event', () => {
  /** Longer than the announcer's pause. */
  const QUIET_MS = 200;
  const receiver = ofFile(() => WebhookReceiver.start());
  let listener: Client;
  /** The messages on the channel. */
  let said: string[] = [];
  /** How often the second replica received a message of the first. */
  let heard = 0;

  beforeAll(async () => {
    await partnerClient(replicas.first).post('/webhooks', { url: receiver.url() });
    // The first replica writes, and the second sends.
    await replicas.first.get<DeliverySender>(DeliverySender).stop();
    replicas.second.get<ReplicaWakeUp>(ReplicaWakeUp).listen(() => (heard += 1));
  });

  beforeEach(async () => {
    listener = new Client({ connectionString: replicas.first.databaseUrl });
    await listener.connect();
    listener.on('notification', ({ payload }) => said.push(payload ?? ''));
    await listener.query(`LISTEN ${WAKE_UP_CHANNEL}`);
    // Late messages of the earlier test must not count here.
    await sleep(2 * QUIET_MS);
    said = [];
    receiver.reset();
    heard = 0;
  });

  afterEach(() => listener.end());

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
    // The sender's own check finds what was published meanwhile.
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
