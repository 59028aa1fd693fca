import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryBench, PARTNER, someEvent, SUCCESS } from './delivery-bench.js';

const DAY_MS = 86_400_000;
const SLOTS = 32;
const CHUNK = 1_000;

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await DeliveryBench.open();
});

beforeEach(() => bench.reset());

afterAll(() => bench.close());

async function counts(): Promise<Record<string, number>> {
  const [row] = await bench.database.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM webhook_attempts) AS attempts,
       (SELECT count(*)::int FROM webhook_deliveries) AS deliveries,
       (SELECT count(*)::int FROM webhook_events) AS events`,
  );
  return row;
}

async function clean(): Promise<void> {
  await bench.upkeep.cancelLongPaused(CHUNK);
  await bench.upkeep.removeFinished(CHUNK);
  await bench.upkeep.removeEvents(CHUNK);
}

describe('the age of what has been due for longest', () => {
  it('is told in seconds, and is zero when nothing is', async () => {
    expect(await bench.upkeep.oldestDueSeconds()).toBe(0);
    await bench.subscribe();
    await bench.publish(someEvent());
    await bench.travel(60_000);
    expect(await bench.upkeep.oldestDueSeconds()).toBeCloseTo(60, -1);
    await bench.claims.claim(SLOTS);
    expect(await bench.upkeep.oldestDueSeconds()).toBe(0);
  });
});

describe('reconciling', () => {
  it('pauses what slipped past its subscription’s going inactive, and frees what slipped past its return', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    await bench.setActive(subscription, false);
    expect(await bench.upkeep.reconcile(CHUNK)).toBe(1);
    expect(await bench.deliveries()).toMatchObject([{ status: 'PAUSED' }]);
    await bench.setActive(subscription, true);
    expect(await bench.upkeep.reconcile(CHUNK)).toBe(1);
    expect(await bench.deliveries()).toMatchObject([{ status: 'PENDING' }]);
    expect(await bench.upkeep.reconcile(CHUNK)).toBe(0);
    expect(await bench.claims.claim(SLOTS)).toHaveLength(1);
  });

  it('cancels what was written while its subscription was being deleted', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    await bench.database.transaction((tx) => bench.subscriptions.delete(tx, PARTNER, subscription));
    await bench.database.query(
      `UPDATE webhook_deliveries SET status = 'PENDING', finished_at = NULL`,
    );
    expect(await bench.claims.claim(SLOTS)).toEqual([]);
    expect(await bench.upkeep.reconcile(CHUNK)).toBe(1);
    expect(await bench.deliveries()).toMatchObject([
      { status: 'CANCELLED', finishedAt: expect.any(Date) as Date },
    ]);
  });
});

describe('cleaning', () => {
  it('removes what was finished more than thirty days ago, and its event', async () => {
    await bench.subscribe();
    await bench.publish(someEvent());
    const [claim] = await bench.claims.claim(SLOTS);
    await bench.finish(claim, SUCCESS);
    await bench.database.query('UPDATE webhook_events SET created_at = app_now()');
    await bench.travel(29 * DAY_MS);
    await clean();
    expect(await counts()).toEqual({ attempts: 1, deliveries: 1, events: 1 });
    await bench.travel(2 * DAY_MS);
    await clean();
    expect(await counts()).toEqual({ attempts: 0, deliveries: 0, events: 0 });
  });

  it('leaves what is still open, and its event, however old', async () => {
    await bench.subscribe();
    await bench.publish(someEvent());
    await bench.travel(40 * DAY_MS);
    await clean();
    expect(await counts()).toEqual({ attempts: 0, deliveries: 1, events: 1 });
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
