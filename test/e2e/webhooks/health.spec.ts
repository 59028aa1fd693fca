import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ATTEMPT_MS, DeliveryBench, GONE, REFUSAL, someEvent, SUCCESS } from './delivery-bench.js';

const DAY_MS = 86_400_000;
const SLOTS = 32;

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await DeliveryBench.open();
});

beforeEach(() => bench.reset());

afterAll(() => bench.close());

async function oneClaim() {
  const [claim] = await bench.claims.claim(SLOTS);
  if (!claim) throw new Error('nothing is due');
  return claim;
}

/** So many attempts of one delivery, each of which fails at once. */
async function fail(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await bench.finish(await oneClaim(), REFUSAL, 0);
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
      leaseUntil: null,
      finishedAt: expect.any(Date) as Date,
    });
    expect(await bench.subscription(subscription)).toMatchObject({
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
    expect(await bench.subscription(subscription)).toMatchObject({
      failureCount: 1,
      lastDeliveryAt: null,
    });
    expect(await bench.claims.claim(SLOTS)).toEqual([]);
    await bench.travel(5_100);
    expect(await bench.claims.claim(SLOTS)).toHaveLength(1);
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
    const [claim] = await bench.claims.claim(1);
    await bench.finish(claim, GONE);
    expect(await bench.subscription(subscription)).toMatchObject({ isActive: false });
    await bench.publish(someEvent());
    const statuses = (await bench.deliveries()).map(({ status }) => status);
    expect(statuses).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'PAUSED']);
    expect(await bench.claims.claim(SLOTS)).toEqual([]);
  });

  it('has the subscription go inactive after twenty in a row and three days', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    await fail(1);
    await bench.travel(3 * DAY_MS - 60_000);
    await fail(20);
    expect(await bench.subscription(subscription)).toMatchObject({
      isActive: true,
      failureCount: 21,
    });
    await bench.travel(120_000);
    await fail(1);
    expect(await bench.subscription(subscription)).toMatchObject({ isActive: false });
  });

  it('does not, after three days but fewer than twenty', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    await fail(1);
    await bench.travel(4 * DAY_MS);
    await fail(18);
    expect(await bench.subscription(subscription)).toMatchObject({
      isActive: true,
      failureCount: 19,
    });
    await fail(1);
    expect(await bench.subscription(subscription)).toMatchObject({ isActive: false });
  });
});

describe('a delivery in flight while its subscription goes inactive', () => {
  it.each([
    ['succeeds', SUCCESS, 'SUCCEEDED'],
    ['waits after a failure', REFUSAL, 'PAUSED'],
  ])('%s', async (_, result, status) => {
    const subscription = await bench.subscribe();
    await bench.publishMany(2);
    const [gone, other] = await bench.claims.claim(SLOTS);
    const delivery = await bench.claims.read(other, ATTEMPT_MS);
    await bench.finish(gone, GONE);
    const record = { delivery: delivery!, startedAt: new Date(), result, retryDelayMs: 5_000 };
    expect(await bench.records.record(record)).toBe(true);
    expect(await bench.delivery(other.deliveryId)).toMatchObject({ status, attempts: 1 });
    expect(await bench.subscription(subscription)).toMatchObject({ isActive: false });
  });
});

describe('many results at once', () => {
  it('of one subscription all count, and none waits for another for ever', async () => {
    const subscription = await bench.subscribe();
    const replica = await bench.replica();
    await bench.publishMany(5);
    const claims = await bench.claims.claim(SLOTS);
    const read = await Promise.all(claims.map((claim) => bench.claims.read(claim, ATTEMPT_MS)));
    await Promise.all(
      read.map((delivery, index) =>
        (index % 2 ? bench : replica).records.record({
          delivery: delivery!,
          startedAt: new Date(),
          result: index === 0 ? GONE : REFUSAL,
          retryDelayMs: 5_000,
        }),
      ),
    );
    await replica.close();
    expect(await bench.subscription(subscription)).toMatchObject({
      isActive: false,
      failureCount: 5,
    });
    const statuses = (await bench.deliveries()).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 5 }, () => 'PAUSED'));
  });
});
