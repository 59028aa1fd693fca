// Isolated: counts the clean-up of the whole queue.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../src/platform/index.js';
import { AttemptsRepository } from '../../../src/webhooks/store/attempts.repository.js';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { WebhooksTasks } from '../../../src/webhooks/webhooks.tasks.js';
import { DeliveryBench, SUCCESS } from './delivery-bench.js';
import { someEvent } from './some-event.js';
import { ofFile } from '../../support/of-file.js';

const DAY_MS = 86_400_000;
const CHUNK = 1_000;

const bench = ofFile(() => DeliveryBench.open());

beforeEach(() => bench.reset());

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
    // As when a deletion and an event ran in parallel.
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

/** The maximum in progress for one lane; as many failures open its breaker. */
const RETRIES = 5;

const UNTRIED = 3;

const A_TIME = expect.any(Date) as Date;

afterEach(() => vi.restoreAllMocks());

/** Runs the scheduled task after half a minute. */
async function upkeep(): Promise<void> {
  await bench.travel(31_000);
  const { upkeep: repository, subscriptions, wakeUp } = bench;
  const metrics = new WebhookMetrics(new Metrics());
  await new WebhooksTasks(repository, subscriptions, wakeUp, metrics).drain();
}

async function waiting(): Promise<number> {
  const [row] = await bench.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_queue WHERE next_attempt_at > app_now()',
  );
  return row.count;
}

describe('what waits for a retry on a subscription that works again', () => {
  it('is made due by the upkeep, when the sender that was to do so is killed before', async () => {
    const { id, probe } = await bench.broken(UNTRIED);
    vi.spyOn(AttemptsRepository.prototype, 'drain').mockResolvedValueOnce();
    await bench.finish(probe, SUCCESS);
    expect(await waiting()).toBe(RETRIES);
    expect(await bench.lane(id)).toMatchObject({ probeAt: null, drainSince: A_TIME });
    let wakeUps = 0;
    bench.wakeUp.listen(() => (wakeUps += 1));
    await upkeep();
    expect(await waiting()).toBe(0);
    expect(wakeUps).toBe(1);
    expect((await bench.lane(id)).drainSince).toBeNull();
  });
});
