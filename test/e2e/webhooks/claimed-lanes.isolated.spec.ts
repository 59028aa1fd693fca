// Isolated: what the whole service claims is counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AttemptsRepository } from '../../../src/webhooks/store/attempts.repository.js';
import { DeliveriesRepository } from '../../../src/webhooks/store/deliveries.repository.js';
import type { ClaimedDelivery } from '../../../src/webhooks/store/lane-claims.repository.js';
import { SenderDatabase } from '../../../src/webhooks/store/sender-database.js';
import {
  DeleteSubscription,
  EnableSubscription,
} from '../../../src/webhooks/subscriptions/subscription-changes.service.js';
import { inForm } from '../../support/long-form.js';
import { DeliveryBench, REFUSAL, SUCCESS } from './delivery-bench.js';
import { PARTNER } from './some-event.js';

let bench: DeliveryBench;

// A bench of its own each: what a process holds in memory is part of it.
beforeEach(async () => {
  bench = await DeliveryBench.open();
});

afterEach(() => bench.close());

/** Sends each claim, and then what follows on its lane in the same place, until nothing does. */
async function sendOn(claims: ClaimedDelivery[]): Promise<string[]> {
  const sent: string[] = [];
  const recorded: Promise<unknown>[] = [];
  for (let claim = claims.pop(); claim; claim = claims.pop()) {
    sent.push(claim.deliveryId);
    recorded.push(bench.finish(claim, SUCCESS));
    const next = bench.claims.next(claim);
    if (next) claims.push(next);
  }
  await Promise.all(recorded);
  return sent;
}

describe('the deliveries of a claim', () => {
  it('follow each other on their lane without another claim, each once', async () => {
    await bench.subscribe();
    await bench.publishMany(100);
    const sent: string[] = [];
    let claimCount = 0;
    for (let claims = await bench.claims.claim(); claims.length > 0; claimCount += 1) {
      expect(claims).toHaveLength(5);
      sent.push(...(await sendOn(claims)));
      expect(bench.claims.isMoreExpected).toBe(sent.length < 100);
      claims = await bench.claims.claim();
    }
    expect(new Set(sent).size).toBe(100);
    expect(sent).toHaveLength(100);
    expect(claimCount).toBe(3);
  });

  it('are not sent after a failure, which may open the breaker, nor claimed before its record', async () => {
    await bench.subscribe();
    await bench.publishMany(40);
    const [failed, other] = await bench.claims.claim();
    const recorded = bench.finish(failed, REFUSAL);
    expect(bench.claims.next(other)).toBeUndefined();
    expect(await bench.claims.claim()).toEqual([]);
    await recorded;
    await bench.finish(other, SUCCESS);
    expect(bench.claims.next(other)).toBeUndefined();
  });

  it('are not started when a failure came, and was recorded, while they were claimed', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(2);
    const [failed] = await bench.claims.claim();
    await bench.publishMany(2);
    const claiming = bench.claims.claim();
    bench.claims.markAnswered(failed, false);
    bench.claims.releaseUnsent(failed);
    expect(await claiming).toEqual([]);
    expect((await bench.lane(subscription)).leaseUntil).not.toBeNull();
  });

  it('are claimed again at once when reading them failed: the lease is known', async () => {
    await bench.subscribe();
    await bench.publishMany(3);
    bench.loseAnswer('webhook-deliveries-due');
    expect(await bench.claims.claim()).toEqual([]);
    expect(bench.claims.isMoreExpected).toBe(true);
    expect(await bench.claims.claim()).toHaveLength(3);
  });
});

describe('a record', () => {
  it('whose answer was lost counts once for the health', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(3);
    const claims = await bench.claims.claim();
    bench.loseAnswer('webhook-attempts-record');
    await Promise.all(claims.map((claim) => bench.finish(claim, REFUSAL)));
    expect(await bench.lane(subscription)).toMatchObject({ failureCount: 3, probeAt: null });
    const attempts = await Promise.all(claims.map(({ deliveryId }) => bench.attempts(deliveryId)));
    expect(attempts.map((rows) => rows.length)).toEqual([1, 1, 1]);
  });

  it('that fails for one leaves the lanes of the others free', async () => {
    const lanes = [await bench.subscribe(), await bench.subscribe()];
    await bench.publishMany(1);
    const claims = await bench.claims.claim();
    expect(new Set(claims.map(({ lane }) => lane.subscriptionId))).toEqual(new Set(lanes));
    // PostgreSQL's text holds no NUL.
    const unwritable = { ...SUCCESS, responseExcerpt: '\0' };
    const results = await Promise.allSettled([
      bench.finish(claims[0], unwritable),
      bench.finish(claims[1], SUCCESS),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await bench.claims.releaseIdle();
    const { leaseUntil } = await bench.lane(claims[1].lane.subscriptionId);
    expect(leaseUntil).toBeNull();
  });
});

const BACKLOG = inForm({ short: 10_000, long: 50_000 });

/** One statement for all of them would last longer than statements may, where the processor is shared. */
const LOADED_AT_ONCE = 5_000;

/** The name of what ends first. */
function firstOf(running: Record<string, Promise<unknown>>): Promise<string> {
  return Promise.race(
    Object.entries(running).map(async ([name, work]) => {
      await work;
      return name;
    }),
  );
}

/** The first is due, the others in an hour. */
async function loadRetries(id: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += LOADED_AT_ONCE) {
    const to = Math.min(count, from + LOADED_AT_ONCE - 1);
    await bench.database.query(RETRIES, [id, from, to]);
  }
}

function deleteOf(id: string): Promise<unknown> {
  const { database, subscriptions, upkeep } = bench;
  return new DeleteSubscription(database, subscriptions, upkeep).delete(PARTNER, id);
}

function enable(id: string): Promise<unknown> {
  const { database, subscriptions, wakeUp } = bench;
  return new EnableSubscription(database, subscriptions, wakeUp).enable(PARTNER, id);
}

/** How many retries of a subscription are not due yet. */
async function waiting(id: string): Promise<number> {
  const [row] = await bench.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_queue
     WHERE subscription_id = $1 AND next_attempt_at > app_now()`,
    [id],
  );
  return row.count;
}

describe('a great backlog', () => {
  it('is made due without a lock that anybody waits for', async () => {
    const back = await bench.subscribe();
    await loadRetries(back, BACKLOG);
    await bench.database.query('UPDATE webhook_lanes SET drain_since = app_now()');
    const database = new SenderDatabase(bench.database);
    const drained = new AttemptsRepository(database).drain([back]);
    // One of the first that are made due; the others are not yet.
    await expect.poll(() => waiting(back), { interval: 1 }).toBeLessThan(BACKLOG);
    const locked = bench.database.query(
      `SELECT FROM webhook_queue WHERE delivery_id = 'dlv_' || md5('2') FOR UPDATE`,
    );
    expect(await firstOf({ drained, locked })).toBe('locked');
    expect(await waiting(back)).toBeGreaterThan(0);
    await drained;
    await database.onApplicationShutdown();
    expect(await waiting(back)).toBe(0);
  });

  it('is cancelled for whoever looks as soon as its subscription is deleted, and then cleared', async () => {
    const gone = await bench.subscribe();
    await loadRetries(gone, 2_500);
    await deleteOf(gone);
    const deliveries = new DeliveriesRepository(bench.database);
    const shown = await deliveries.list({ subscriptionId: gone }, 5_000);
    expect(shown).toHaveLength(2_500);
    expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(['CANCELLED']));
    expect(shown.every(({ nextAttemptAt }) => nextAttemptAt === null)).toBe(true);
    expect(await bench.upkeep.cancelOrphans(1_000)).toBe(1_000);
    expect(await bench.upkeep.cancelOrphans(1_000)).toBe(500);
    expect(await bench.database.query('SELECT FROM webhook_queue')).toEqual([]);
  });
});

describe('a result', () => {
  it('is recorded while another of its batch belongs to one that is enabled with a great backlog', async () => {
    const backlogged = await bench.subscribe({ events: ['journey.abandoned'] });
    await loadRetries(backlogged, BACKLOG);
    await bench.subscribe({ events: ['journey.initiated'] });
    await bench.publishMany(1);
    const claims = await bench.claims.claim();
    expect(claims).toHaveLength(2);
    const enabled = enable(backlogged);
    await sleep(20);
    const recorded = Promise.all(claims.map((claim) => bench.record(claim, SUCCESS)));
    expect(await firstOf({ enabled, recorded })).toBe('recorded');
    await enabled;
  });
});

describe('the clean-up', () => {
  it('does not give up on what is being enabled at that moment', async () => {
    const id = await bench.subscribe({ isActive: false });
    await bench.publishMany(1);
    await bench.travel(31 * 86_400_000);
    let cleaning: Promise<number> = Promise.resolve(0);
    await bench.database.transaction(async (tx) => {
      await bench.subscriptions.enable(tx, PARTNER, id);
      cleaning = bench.upkeep.cancelLongPaused(1_000);
      await sleep(300);
    });
    expect(await cleaning).toBe(0);
    expect(await bench.deliveries()).toMatchObject([{ status: 'PENDING' }]);
  });

  it('leaves what is being sent again', async () => {
    await bench.subscribe();
    await bench.publishMany(1);
    const [claim] = await bench.claims.claim();
    await bench.finish(claim, SUCCESS);
    const old = `dlv_${'0'.repeat(32)}`;
    await bench.database.query(
      `UPDATE webhook_deliveries SET id = $1, finished_at = app_now() - interval '31 days'`,
      [old],
    );
    let cleaning: Promise<unknown> = Promise.resolve();
    await bench.database.transaction(async (tx) => {
      await new DeliveriesRepository(bench.database).reopen(tx, old);
      cleaning = bench.upkeep.removeFinished(1_000, '');
      await sleep(300);
    });
    await cleaning;
    expect(await bench.delivery(old)).toMatchObject({ status: 'PENDING' });
  });
});

const RETRIES = `
  WITH one AS (
    SELECT n, md5(n::text) AS id FROM generate_series($2::int, $3::int) AS n
  ),
  event AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    SELECT 'evt_' || id, 'bench', 'jrn_' || id, 'journey.abandoned', 1, '{}', app_now() FROM one
  ),
  delivery AS (
    INSERT INTO webhook_deliveries
      (id, partner_id, subscription_id, event_id, status, created_at, attempts)
    SELECT 'dlv_' || id, 'bench', $1, 'evt_' || id, 'PENDING', app_now(), 1 FROM one
  )
  INSERT INTO webhook_queue
    (delivery_id, partner_id, subscription_id, event_id, next_attempt_at, attempts)
  SELECT 'dlv_' || id, 'bench', $1, 'evt_' || id,
    app_now() + CASE WHEN n = 1 THEN interval '-1 second' ELSE interval '1 hour' END, 1
  FROM one
`;
