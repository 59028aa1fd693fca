// Isolated: the upkeep of the whole queue is counted.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../src/platform/index.js';
import { AttemptsRepository } from '../../../src/webhooks/store/attempts.repository.js';
import type { ClaimedDelivery } from '../../../src/webhooks/store/lane-claims.repository.js';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { WebhooksTasks } from '../../../src/webhooks/webhooks.tasks.js';
import { DeliveryBench, GONE, REFUSAL, SUCCESS } from './delivery-bench.js';
import { PARTNER, someEvent } from './some-event.js';

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

describe('the age of what has been due for longest', () => {
  it('is told in seconds, and is zero when nothing is', async () => {
    expect(await bench.upkeep.waits()).toEqual({ due: 0, heldBack: 0 });
    await bench.subscribe();
    await bench.publish(someEvent());
    await bench.travel(60_000);
    expect((await bench.upkeep.waits()).due).toBeCloseTo(60, -1);
    const [claim] = await bench.claims.claim();
    await bench.finish(claim, SUCCESS);
    expect(await bench.upkeep.waits()).toEqual({ due: 0, heldBack: 0 });
  });

  it('is told apart for what waits behind a breaker, and not for what is paused', async () => {
    const broken = await bench.subscribe();
    await bench.publish(someEvent());
    await bench.database.query(
      `UPDATE webhook_lanes SET probe_at = app_now() + interval '600 s', probe_wait_seconds = 600,
         failure_count = 9`,
    );
    await bench.travel(60_000);
    const { due, heldBack } = await bench.upkeep.waits();
    expect(due).toBe(0);
    expect(heldBack).toBeCloseTo(60, -1);
    await bench.setActive(broken, false);
    expect(await bench.upkeep.waits()).toEqual({ due: 0, heldBack: 0 });
  });
});

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

const HOURS_MS = 8 * 3_600_000;

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

/** As far as its transaction goes. */
function enable(id: string): Promise<boolean> {
  return bench.database.transaction((tx) => bench.subscriptions.enable(tx, PARTNER, id));
}

function mark(id: string): Promise<unknown> {
  return bench.database.query(
    `UPDATE webhook_lanes SET drain_since = app_now() WHERE subscription_id = $1`,
    [id],
  );
}

function failAll(claims: readonly ClaimedDelivery[]): Promise<unknown> {
  return Promise.all(claims.map((claim) => bench.finish(claim, REFUSAL, HOURS_MS)));
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

  it('is made due once: what fails after that waits for its own time', async () => {
    const { id, probe } = await bench.broken(UNTRIED);
    await bench.finish(probe, SUCCESS);
    const [claim] = await bench.claims.claim();
    await failAll([claim]);
    expect(await waiting()).toBe(1);
    await drain(id);
    await upkeep();
    expect(await waiting()).toBe(1);
  });

  it('is made due at once, too, when what succeeded was no probe, but was in flight before', async () => {
    const id = await bench.subscribe();
    await bench.publishMany(RETRIES);
    const [last, ...early] = await bench.claims.claim();
    await bench.database.query('UPDATE webhook_lanes SET failure_count = 1');
    await failAll(early);
    expect((await bench.lane(id)).probeAt).not.toBeNull();
    expect(await waiting()).toBe(RETRIES - 1);
    await bench.finish(last, SUCCESS);
    expect(await bench.lane(id)).toMatchObject({ probeAt: null, drainSince: null });
    expect(await waiting()).toBe(0);
  });

  it('is made due after the call that enables it was cut short', async () => {
    const { id } = await bench.broken(UNTRIED);
    await enable(id);
    expect(await waiting()).toBe(RETRIES);
    await upkeep();
    expect(await waiting()).toBe(0);
    expect((await bench.lane(id)).drainSince).toBeNull();
  });
});

describe('what waits for a retry on a subscription that has stopped working again', () => {
  it('waits behind its breaker for its own time, and is made due when it works', async () => {
    const { id, probe } = await bench.broken(UNTRIED);
    vi.spyOn(AttemptsRepository.prototype, 'drain').mockResolvedValueOnce();
    await bench.finish(probe, SUCCESS);
    await bench.database.query(
      `UPDATE webhook_lanes SET failure_count = 5, failing_since = app_now(), probe_wait_seconds = 600,
         probe_at = app_now() + interval '600 seconds'`,
    );
    await upkeep();
    await drain(id);
    expect(await waiting()).toBe(RETRIES);
    await bench.database.query(
      'UPDATE webhook_lanes SET probe_at = NULL, probe_wait_seconds = NULL, failure_count = 0',
    );
    await upkeep();
    expect(await waiting()).toBe(0);
  });

  it('stays as it is while it is inactive', async () => {
    const id = await bench.subscribe();
    await bench.publishMany(RETRIES);
    const claims = await bench.claims.claim();
    const [gone, last] = claims.splice(0, 2);
    await failAll(claims);
    await bench.finish(gone, GONE, HOURS_MS);
    await bench.finish(last, SUCCESS);
    expect((await bench.lane(id)).isActive).toBe(false);
    await mark(id);
    await upkeep();
    expect(await waiting()).toBe(RETRIES - 1);
    expect((await bench.lane(id)).drainSince).not.toBeNull();
  });
});
