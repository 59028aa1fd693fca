import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queueAgain } from '../../../src/webhooks/delivery-sql.js';
import { DeliveryBench, SUCCESS } from './delivery-bench.js';

const AT_ONCE_MS = 500;

let bench: DeliveryBench;

// A bench of its own each: what a process holds in memory is part of it.
beforeEach(async () => {
  bench = await DeliveryBench.open();
});

afterEach(() => bench.close());

/** How long something took, in milliseconds. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

describe('a result', () => {
  it('is recorded while the lane of another in its batch is locked by a long transaction', async () => {
    const locked = await bench.subscribe();
    const other = await bench.subscribe();
    await bench.publishMany(1);
    const claims = await bench.claims.claim(10);
    const ofLane = (id: string) => claims.find(({ lane }) => lane.subscriptionId === id)!;
    let blocked: Promise<boolean> = Promise.resolve(false);
    await bench.database.transaction(async (tx) => {
      // What deleting or enabling a subscription with a great backlog does for seconds.
      await tx.query('SELECT FROM webhook_lanes WHERE subscription_id = $1 FOR UPDATE', [locked]);
      blocked = bench.finish(ofLane(locked), SUCCESS);
      const recorded = bench.finish(ofLane(other), SUCCESS);
      expect(await Promise.race([recorded, sleep(AT_ONCE_MS, 'kept waiting')])).toBe(true);
    });
    await blocked;
  });

  it('is recorded while what waited for another receiver is made due', async () => {
    const back = await bench.subscribe({ events: ['journey.abandoned'] });
    await bench.database.query(RETRIES, [back, 100_000]);
    await bench.database.query(BREAKER_OPEN);
    await bench.subscribe({ events: ['journey.initiated'] });
    await bench.publishMany(1);
    const claims = await bench.claims.claim(10);
    const probe = claims.find(({ lane }) => lane.isProbe)!;
    const other = claims.find(({ lane }) => !lane.isProbe)!;
    const drained = bench.finish(probe, SUCCESS);
    await sleep(20);
    expect(await took(() => bench.finish(other, SUCCESS))).toBeLessThan(AT_ONCE_MS);
    await drained;
  });
});

describe('the clean-up', () => {
  it('leaves what is being sent again', async () => {
    await bench.subscribe();
    await bench.publishMany(1);
    const [claim] = await bench.claims.claim(1);
    await bench.finish(claim, SUCCESS);
    const old = `dlv_${'0'.repeat(32)}`;
    await bench.database.query(
      `UPDATE webhook_deliveries SET id = $1, finished_at = app_now() - interval '31 days'`,
      [old],
    );
    let cleaning: Promise<unknown> = Promise.resolve();
    await bench.database.transaction(async (tx) => {
      await tx.execute(queueAgain('id = $1'), [old]);
      cleaning = bench.upkeep.removeFinished(1_000, '');
      await sleep(300);
    });
    await cleaning;
    expect(await bench.delivery(old)).toMatchObject({ status: 'PENDING' });
  });
});

// The first is due, the others in an hour.
const RETRIES = `
  WITH one AS (
    SELECT n, md5(n::text) AS id FROM generate_series(1, $2::int) AS n
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

const BREAKER_OPEN = `
  UPDATE webhook_lanes SET failure_count = 7, failing_since = app_now(), probe_at = app_now(),
    probe_wait_seconds = 30
`;
