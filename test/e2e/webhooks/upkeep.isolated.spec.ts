// Isolated: the upkeep of the whole queue is counted.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('the health of the subscriptions', () => {
  it('is told by how many are in each', async () => {
    const [, failing, broken, inactive] = [
      await bench.subscribe(),
      await bench.subscribe(),
      await bench.subscribe(),
      await bench.subscribe({ isActive: false }),
    ];
    expect(inactive).toMatch(/^sub_/);
    const set = (columns: string, id: string) =>
      bench.database.query(`UPDATE webhook_lanes SET ${columns} WHERE subscription_id = $1`, [id]);
    await set('failure_count = 2', failing);
    await set('failure_count = 9, probe_at = app_now(), probe_wait_seconds = 30', broken);
    expect(await bench.upkeep.health()).toEqual({ healthy: 1, failing: 1, broken: 1, inactive: 1 });
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
