// Isolated: the upkeep of the whole queue is counted.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../src/platform/index.js';
import { AttemptsRepository } from '../../../src/webhooks/store/attempts.repository.js';
import { DeliveriesRepository } from '../../../src/webhooks/store/deliveries.repository.js';
import { SenderDatabase } from '../../../src/webhooks/store/sender-database.js';
import { DeleteSubscription } from '../../../src/webhooks/subscriptions/subscription-changes.service.js';
import { inForm } from '../../support/long-form.js';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { WebhooksTasks } from '../../../src/webhooks/webhooks.tasks.js';
import { DeliveryBench, SUCCESS } from './delivery-bench.js';
import { someEvent } from './some-event.js';

const DAY_MS = 86_400_000;
const CHUNK = 1_000;

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await DeliveryBench.open();
});

beforeEach(() => bench.reset());

afterAll(() => bench.close());

async function counts(): Promise<Record<string, number>> {
  const [row] = await bench.database.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM webhook_deliveries) AS deliveries,
       (SELECT count(*)::int FROM webhook_events) AS events`,
  );
  return row;
}

async function clean(): Promise<void> {
  await bench.upkeep.cancelLongPaused(CHUNK);
  let after: string | null = '';
  while (after !== null) after = await bench.upkeep.removeFinished(2, after);
  await bench.upkeep.removeEvents(CHUNK);
}

describe('reconciling', () => {
  it('cancels what was written while its subscription was being deleted', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    // As a deletion leaves it that did not see the event, nor the event it.
    await bench.database.query('DELETE FROM webhook_lanes');
    await bench.database.query(
      `UPDATE webhook_subscriptions SET deleted_at = app_now(), secret_sealed = NULL WHERE id = $1`,
      [subscription],
    );
    expect(await bench.claims.claim()).toEqual([]);
    expect(await bench.upkeep.cancelOrphans(CHUNK)).toBe(1);
    expect(await bench.deliveries()).toMatchObject([
      { status: 'CANCELLED', finishedAt: expect.any(Date) as Date, nextAttemptAt: null },
    ]);
    expect(await bench.upkeep.cancelOrphans(CHUNK)).toBe(0);
  });

  it('wipes the secret before a rotation once its overlap is over, and not before', async () => {
    const subscription = await bench.subscribe();
    const rotate = () =>
      bench.database.transaction((tx) => bench.subscriptions.rotateSecret(tx, subscription, 'new'));
    const previous = async () => {
      const [row] = await bench.database.query<{ previous: { sealed: string }[] }>(
        'SELECT previous_secrets AS previous FROM webhook_subscriptions',
      );
      return row.previous.map(({ sealed }) => sealed);
    };
    await rotate();
    await bench.travel(DAY_MS - 60_000);
    expect(await bench.subscriptions.wipePreviousSecrets()).toBe(0);
    expect(await previous()).toEqual(['sealed']);
    await bench.travel(61_000);
    expect(await bench.subscriptions.wipePreviousSecrets()).toBe(1);
    expect(await previous()).toEqual([]);
  });
});

describe('cleaning', () => {
  it('removes what was finished more than thirty days ago, and its event', async () => {
    await bench.subscribe();
    await bench.publish(someEvent());
    const [claim] = await bench.claims.claim();
    await bench.finish(claim, SUCCESS);
    await bench.database.query('UPDATE webhook_events SET created_at = app_now()');
    await bench.travel(29 * DAY_MS);
    await clean();
    expect(await counts()).toEqual({ deliveries: 1, events: 1 });
    await bench.travel(2 * DAY_MS);
    await clean();
    expect(await counts()).toEqual({ deliveries: 0, events: 0 });
  });

  it('leaves what is still open, and its event, however old', async () => {
    await bench.subscribe();
    await bench.publish(someEvent());
    await bench.travel(40 * DAY_MS);
    await clean();
    expect(await counts()).toEqual({ deliveries: 1, events: 1 });
  });

  it('gives up on what has waited for an inactive subscription for thirty days', async () => {
    await bench.subscribe({ isActive: false });
    await bench.publish(someEvent());
    await bench.travel(29 * DAY_MS);
    await clean();
    expect(await bench.deliveries()).toMatchObject([{ status: 'PAUSED' }]);
    await bench.travel(2 * DAY_MS);
    await clean();
    expect(await bench.deliveries()).toMatchObject([{ status: 'CANCELLED' }]);
  });
});

/** As many as are in flight at once, and open the breaker. */
const RETRIES = 5;

const UNTRIED = 3;

const A_TIME = expect.any(Date) as Date;

afterEach(() => vi.restoreAllMocks());

/** The scheduled look, half a minute later, as any replica makes it. */
async function upkeep(): Promise<void> {
  await bench.travel(31_000);
  const { upkeep: repository, subscriptions, wakeUp } = bench;
  const metrics = new WebhookMetrics(new Metrics());
  await new WebhooksTasks(repository, subscriptions, wakeUp, metrics).drain();
}

function drain(id: string): Promise<void> {
  return bench.subscriptions.makeRetriesDue(id);
}

/** How many retries are not due yet. */
async function waiting(): Promise<number> {
  const [row] = await bench.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_queue WHERE next_attempt_at > app_now()',
  );
  return row.count;
}

describe('what waits for a retry on a subscription that works again', () => {
  it('is made due by the upkeep of anybody, when whoever was to do so is killed before', async () => {
    const { id, probe } = await bench.broken(UNTRIED);
    vi.spyOn(AttemptsRepository.prototype, 'drain').mockResolvedValueOnce();
    await bench.finish(probe, SUCCESS);
    expect(await waiting()).toBe(RETRIES);
    expect(await bench.lane(id)).toMatchObject({ probeAt: null, drainSince: A_TIME });
    let told = 0;
    bench.wakeUp.listen(() => (told += 1));
    await upkeep();
    expect(await waiting()).toBe(0);
    expect(told).toBe(1);
    expect((await bench.lane(id)).drainSince).toBeNull();
  });
});

const BACKLOG = inForm({ short: 4_000, long: 50_000 });

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
    await bench.database.query(BACKLOG_OF, [id, from, to]);
  }
}

function deleteOf(id: string): Promise<unknown> {
  const { database, subscriptions, upkeep } = bench;
  return new DeleteSubscription(database, subscriptions, upkeep).delete(PARTNER, id);
}

/** How many retries of a subscription are not due yet. */
async function waitingOf(id: string): Promise<number> {
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
    await expect.poll(() => waitingOf(back), { interval: 1 }).toBeLessThan(BACKLOG);
    const locked = bench.database.query(
      `SELECT FROM webhook_queue WHERE delivery_id = 'dlv_' || md5('2') FOR UPDATE`,
    );
    expect(await firstOf({ drained, locked })).toBe('locked');
    expect(await waitingOf(back)).toBeGreaterThan(0);
    await drained;
    await database.onApplicationShutdown();
    expect(await waitingOf(back)).toBe(0);
  });

  it('is cancelled for whoever looks as soon as its subscription is deleted, and then cleared', async () => {
    const gone = await bench.subscribe();
    await loadRetries(gone, 1_200);
    await deleteOf(gone);
    const deliveries = new DeliveriesRepository(bench.database);
    const shown = await deliveries.list({ subscriptionId: gone }, 5_000);
    expect(shown).toHaveLength(1_200);
    expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(['CANCELLED']));
    expect(shown.every(({ nextAttemptAt }) => nextAttemptAt === null)).toBe(true);
    expect(await bench.upkeep.cancelOrphans(1_000)).toBe(1_000);
    expect(await bench.upkeep.cancelOrphans(1_000)).toBe(200);
    expect(await bench.database.query('SELECT FROM webhook_queue')).toEqual([]);
  });
});

const BACKLOG_OF = `
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
