import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../src/platform/index.js';
import { makeRetriesDue } from '../../../src/webhooks/retries-due.js';
import { AttemptRecords } from '../../../src/webhooks/sending/attempt-records.repository.js';
import type { ClaimedDelivery } from '../../../src/webhooks/sending/claimed-delivery.js';
import { WebhooksTasks } from '../../../src/webhooks/webhooks.tasks.js';
import { DeliveryBench, PARTNER, REFUSAL, SUCCESS } from './delivery-bench.js';

const SLOTS = 32;
/** As many as are in flight at once, and open the breaker. */
const RETRIES = 5;
const UNTRIED = 3;
const HOURS_MS = 8 * 3_600_000;

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await DeliveryBench.open();
});

beforeEach(() => bench.reset());

afterEach(() => vi.restoreAllMocks());

afterAll(() => bench.close());

/** The scheduled look, as any replica makes it. */
function reconcile(): Promise<void> {
  const { upkeep, subscriptions, due } = bench;
  return new WebhooksTasks(upkeep, subscriptions, due, new Metrics()).reconcile();
}

function failAll(claims: readonly ClaimedDelivery[]): Promise<unknown> {
  return Promise.all(claims.map((claim) => bench.finish(claim, REFUSAL, HOURS_MS)));
}

async function dueNow(): Promise<number> {
  const [row] = await bench.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_queue WHERE next_attempt_at <= app_now()',
  );
  return row.count;
}

/** A subscription whose breaker has opened, with five retries that wait for hours, and its probe. */
async function broken(): Promise<{ id: string; probe: ClaimedDelivery }> {
  const id = await bench.subscribe();
  await bench.publishMany(RETRIES + UNTRIED);
  await failAll(await bench.claims.claim(SLOTS));
  await bench.travel(31_000);
  const [probe] = await bench.claims.claim(SLOTS);
  expect(probe.lane.isProbe).toBe(true);
  expect(await dueNow()).toBe(UNTRIED);
  return { id, probe };
}

describe('what waits for a retry on a subscription that works again', () => {
  it('is made due by the next look of anybody, when whoever was to do so is killed before', async () => {
    const { id, probe } = await broken();
    vi.spyOn(AttemptRecords.prototype, 'drain').mockResolvedValueOnce();
    await bench.finish(probe, SUCCESS);
    expect(await dueNow()).toBe(UNTRIED - 1);
    expect(await bench.lane(id)).toMatchObject({
      probeAt: null,
      recoveredAt: expect.any(Date) as Date,
    });
    let told = 0;
    bench.due.listen(() => (told += 1));
    await reconcile();
    expect(await dueNow()).toBe(UNTRIED - 1 + RETRIES);
    expect(told).toBe(1);
    expect((await bench.lane(id)).recoveredAt).toBeNull();
    // Once is enough: what fails from here on waits for its own time.
    await failAll(await bench.claims.claim(1));
    await reconcile();
    expect(await dueNow()).toBe(UNTRIED - 2 + RETRIES);
  });

  it('is made due, too, when it was no probe that succeeded, but one that was in flight before', async () => {
    const id = await bench.subscribe();
    await bench.publishMany(RETRIES + UNTRIED);
    const early = await bench.claims.claim(SLOTS);
    const last = early.pop()!;
    await failAll(early);
    while ((await bench.lane(id)).probeAt === null) await failAll(await bench.claims.claim(1));
    await bench.finish(last, SUCCESS);
    expect(await bench.lane(id)).toMatchObject({
      probeAt: null,
      recoveredAt: expect.any(Date) as Date,
    });
    expect(await dueNow()).toBe(UNTRIED - 1);
    await reconcile();
    expect(await dueNow()).toBe(UNTRIED - 1 + RETRIES);
  });

  it('is made due after the call that enables it was cut short', async () => {
    const { id } = await broken();
    await bench.database.transaction((tx) => bench.subscriptions.enable(tx, PARTNER, id));
    expect(await dueNow()).toBe(UNTRIED);
    await reconcile();
    expect(await dueNow()).toBe(UNTRIED + RETRIES);
    expect((await bench.lane(id)).recoveredAt).toBeNull();
  });

  it('stays to be made due when there is another recovery meanwhile', async () => {
    const id = await bench.subscribe();
    const recover = () =>
      bench.database.query(
        `UPDATE webhook_lanes SET recovered_at = app_now() WHERE subscription_id = $1`,
        [id],
      );
    await recover();
    await makeRetriesDue(async (name, sql, values) => {
      if (name === 'webhook-lanes-drain') await recover();
      return bench.database.query(sql, values);
    }, id);
    expect((await bench.lane(id)).recoveredAt).not.toBeNull();
    await reconcile();
    expect((await bench.lane(id)).recoveredAt).toBeNull();
  });
});
