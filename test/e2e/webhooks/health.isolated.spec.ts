// Isolated: what is sent in the whole service is counted.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryBench, GONE, REFUSAL, SUCCESS } from './delivery-bench.js';
import { PARTNER, someEvent } from './some-event.js';

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await DeliveryBench.open();
});

beforeEach(() => bench.reset());

afterAll(() => bench.close());

describe('publishing an event', () => {
  it('stores its body once, field by field in the order that decisions §9 shows', async () => {
    // What a caller's object holds besides stays here.
    const extra = { pan: 'ABCDE1234F' };
    const nextAction = { type: 'REDIRECT', category: 'REDIRECT', url: 'https://a.example/r/1' };
    await bench.publish(
      someEvent({
        journeyId: 'jrn_1',
        name: 'journey.kyc_done',
        sequence: 4,
        data: { ...extra, ...someEvent().data, nextAction },
      }),
    );
    const [row] = await bench.database.query<{ id: string; body: string }>(
      'SELECT id, body FROM webhook_events',
    );
    expect(row.id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(row.body).toBe(
      `{"id":"${row.id}","event":"journey.kyc_done","createdAt":"2026-01-01T00:00:00.000Z",` +
        '"apiVersion":"v1","sequence":4,"journeyId":"jrn_1","applicationId":"app_1",' +
        '"data":{"productCode":"ONLINE_PERSONAL","channel":"API_HEADLESS","state":"INITIATED",' +
        '"nextAction":{"type":"REDIRECT","category":"REDIRECT"},' +
        '"outcome":"IN_PROGRESS"}}',
    );
  });

  it('makes a delivery for each subscription that wants it, and for no other', async () => {
    const all = await bench.subscribe();
    const named = await bench.subscribe({ events: ['journey.rejected', 'journey.initiated'] });
    await bench.subscribe({ events: ['journey.rejected'] });
    await bench.subscribe({ partnerId: 'other' });
    const deleted = await bench.subscribe();
    await bench.database.transaction((tx) => bench.subscriptions.delete(tx, PARTNER, deleted));
    const paused = await bench.subscribe({ isActive: false });
    await bench.publish(someEvent());
    const deliveries = await bench.deliveries();
    const statuses = Object.fromEntries(
      deliveries.map(({ subscriptionId, status }) => [subscriptionId, status]),
    );
    expect(statuses).toEqual({ [all]: 'PENDING', [named]: 'PENDING', [paused]: 'PAUSED' });
  });

  it('wakes the sender after the commit', async () => {
    await bench.subscribe();
    let raised = 0;
    bench.wakeUp.listen(() => {
      raised += 1;
    });
    await bench.database.transaction(async (tx) => {
      await bench.publisher.publish(tx, someEvent());
      expect(raised).toBe(0);
    });
    expect(raised).toBe(1);
  });

  it('leaves nothing behind when the transaction of the change fails', async () => {
    await bench.subscribe();
    const failing = bench.database.transaction(async (tx) => {
      await bench.publisher.publish(tx, someEvent());
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await bench.deliveries()).toEqual([]);
    expect(await bench.database.query('SELECT 1 FROM webhook_events')).toEqual([]);
  });

  it('refuses a second event of the same sequence number', async () => {
    const event = someEvent();
    await bench.publish(event);
    await expect(bench.publish(event)).rejects.toThrow('webhook_events_by_journey');
  });
});

const DAY_MS = 86_400_000;

async function oneClaim() {
  const [claim] = await bench.claims.claim();
  if (!claim) throw new Error('nothing is due');
  return claim;
}

/** So many attempts of one delivery, each of which fails at once; no probe is waited for. */
async function fail(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await bench.finish(await oneClaim(), REFUSAL, 0);
    await bench.database.query(
      'UPDATE webhook_lanes SET probe_at = app_now() WHERE probe_at IS NOT NULL',
    );
  }
}

describe('an attempt that succeeded', () => {
  it('ends the delivery and clears the failures', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    await fail(2);
    const claim = await oneClaim();
    expect(await bench.finish(claim, SUCCESS)).toBe(true);
    expect(await bench.delivery(claim.deliveryId)).toMatchObject({
      status: 'SUCCEEDED',
      attempts: 3,
      finishedAt: expect.any(Date) as Date,
    });
    expect(await bench.lane(subscription)).toMatchObject({
      isActive: true,
      failureCount: 0,
      failingSince: null,
      lastDeliveryAt: expect.any(Date) as Date,
    });
    expect(await bench.attempts(claim.deliveryId)).toMatchObject([
      { attempt: 1, responseStatus: 500 },
      { attempt: 2, responseStatus: 500 },
      { attempt: 3, responseStatus: 200, responseExcerpt: 'ok', partnerId: 'bench' },
    ]);
  });
});

describe('an attempt that failed', () => {
  it('counts, and has the delivery wait for the next one', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    const claim = await oneClaim();
    await bench.finish(claim, REFUSAL, 5_000);
    expect(await bench.delivery(claim.deliveryId)).toMatchObject({
      status: 'PENDING',
      attempts: 1,
    });
    expect(await bench.lane(subscription)).toMatchObject({
      failureCount: 1,
      lastDeliveryAt: null,
    });
    expect(await bench.claims.claim()).toEqual([]);
    await bench.travel(5_100);
    expect(await bench.claims.claim()).toHaveLength(1);
  });

  it('exhausts the delivery when it was the last', async () => {
    await bench.subscribe();
    await bench.publish(someEvent());
    const claim = await oneClaim();
    await bench.finish(claim, REFUSAL, null);
    expect(await bench.delivery(claim.deliveryId)).toMatchObject({
      status: 'EXHAUSTED',
      finishedAt: expect.any(Date) as Date,
    });
  });

  it('with 410 has the subscription go inactive and everything wait', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(3);
    const [claim] = await bench.claims.claim();
    await bench.finish(claim, GONE);
    expect(await bench.lane(subscription)).toMatchObject({ isActive: false });
    await bench.publish(someEvent());
    const statuses = (await bench.deliveries()).map(({ status }) => status);
    expect(statuses).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'PAUSED']);
    expect(await bench.claims.claim()).toEqual([]);
  });

  it('has the subscription go inactive after twenty in a row and three days', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    await fail(1);
    await bench.travel(3 * DAY_MS - 60_000);
    await fail(20);
    expect(await bench.lane(subscription)).toMatchObject({
      isActive: true,
      failureCount: 21,
    });
    await bench.travel(120_000);
    await fail(1);
    expect(await bench.lane(subscription)).toMatchObject({ isActive: false });
  });

  it('does not, after three days but fewer than twenty', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    await fail(1);
    await bench.travel(4 * DAY_MS);
    await fail(18);
    expect(await bench.lane(subscription)).toMatchObject({
      isActive: true,
      failureCount: 19,
    });
    await fail(1);
    expect(await bench.lane(subscription)).toMatchObject({ isActive: false });
  });
});

describe('a delivery in flight while its subscription goes inactive', () => {
  it.each([
    ['succeeds', SUCCESS, 'SUCCEEDED'],
    ['waits after a failure', REFUSAL, 'PAUSED'],
  ])('%s', async (_, result, status) => {
    const subscription = await bench.subscribe();
    await bench.publishMany(2);
    const [gone, other] = await bench.claims.claim();
    await bench.finish(gone, GONE);
    expect(await bench.finish(other, result)).toBe(true);
    expect(await bench.delivery(other.deliveryId)).toMatchObject({ status, attempts: 1 });
    expect(await bench.lane(subscription)).toMatchObject({ isActive: false });
  });
});

describe('many results at once', () => {
  it('of one subscription all count', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(5);
    const claims = await bench.claims.claim();
    await Promise.all(
      claims.map((claim, index) => bench.finish(claim, index === 0 ? GONE : REFUSAL)),
    );
    expect(await bench.lane(subscription)).toMatchObject({
      isActive: false,
      failureCount: 5,
    });
    const statuses = (await bench.deliveries()).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 5 }, () => 'PAUSED'));
  });

  it('count as failures in a row from the last success on', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(5);
    const claims = await bench.claims.claim();
    await bench.database.query(
      'UPDATE webhook_lanes SET failure_count = 3, failing_since = app_now()',
    );
    const results = [REFUSAL, SUCCESS, REFUSAL, REFUSAL, REFUSAL];
    await Promise.all(claims.map((claim, index) => bench.finish(claim, results[index])));
    expect(await bench.lane(subscription)).toMatchObject({ failureCount: 3, probeAt: null });
  });

  it('of many subscriptions are recorded by replicas side by side, and none waits forever', async () => {
    const replica = await bench.replica();
    const subscribe = async () => {
      for (let index = 0; index < 5; index += 1) await bench.subscribe();
      await bench.publishMany(4);
    };
    await subscribe();
    const ours = await bench.claims.claim();
    await subscribe();
    const theirs = await replica.claims.claim();
    expect([ours.length, theirs.length]).toEqual([20, 20]);
    const recorded = await Promise.all([
      ...ours.map((claim) => bench.finish(claim, SUCCESS)),
      ...theirs.map((claim) => replica.finish(claim, SUCCESS)),
    ]);
    await replica.close();
    expect(recorded.every(Boolean)).toBe(true);
    expect(recorded.length).toBe(
      (await bench.database.query('SELECT 1 FROM webhook_attempts')).length,
    );
  });
});

describe('the breaker', () => {
  /** Everything that may be claimed fails; answers how many that were. */
  async function failAll(): Promise<number> {
    const claims = await bench.claims.claim();
    await Promise.all(claims.map((claim) => bench.finish(claim, REFUSAL)));
    return claims.length;
  }

  it('opens after five failures in a row, and lets one delivery at a time try, ever less often', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(40);
    expect(await failAll()).toBe(5);
    expect(await bench.lane(subscription)).toMatchObject({
      failureCount: 5,
      probeWaitSeconds: 30,
    });
    expect(await failAll()).toBe(0);
    for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
      expect((await bench.lane(subscription)).probeWaitSeconds).toBe(seconds);
      await bench.travel(seconds * 1_000 - 2_000);
      expect(await failAll()).toBe(0);
      await bench.travel(2_100);
      expect(await failAll()).toBe(1);
    }
  });

  it('spares the attempts of what waits behind it', async () => {
    await bench.subscribe();
    await bench.publishMany(40);
    await failAll();
    for (let probe = 0; probe < 3; probe += 1) {
      await bench.travel(700_000);
      await failAll();
    }
    const attempts = (await bench.deliveries()).map((delivery) => delivery.attempts);
    expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(8);
    expect(attempts.filter((count) => count === 0).length).toBeGreaterThanOrEqual(32);
  });

  it('closes on a success, and what waits goes out at once, retries included', async () => {
    const { id: subscription, probe } = await bench.broken(3);
    await bench.finish(probe, SUCCESS);
    expect(await bench.lane(subscription)).toMatchObject({
      failureCount: 0,
      probeAt: null,
      probeWaitSeconds: null,
      drainSince: null,
    });
    let sent = 1;
    const claims = await bench.claims.claim();
    for (let claim = claims.pop(); claim; claim = claims.pop() ?? bench.claims.next(claim)) {
      await bench.finish(claim, SUCCESS);
      sent += 1;
    }
    expect(sent).toBe(8);
  });

  it('is one for all replicas', async () => {
    await bench.subscribe();
    await bench.publishMany(10);
    await failAll();
    await bench.travel(31_000);
    const replica = await bench.replica();
    const claims = await Promise.all([bench.claims.claim(), replica.claims.claim()]);
    await replica.close();
    expect(claims.flat()).toHaveLength(1);
  });
});
