import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ATTEMPT_MS, DeliveryBench, REFUSAL, someEvent, SUCCESS } from './delivery-bench.js';

const LEASE_MS = 20_000;
const SLOTS = 32;

let first: DeliveryBench;
let second: DeliveryBench;

beforeAll(async () => {
  first = await DeliveryBench.open();
  second = await first.replica();
});

beforeEach(() => first.reset());

afterAll(async () => {
  await second.close();
  await first.close();
});

describe('claiming', () => {
  it('finds nothing when nothing is due', async () => {
    await first.subscribe();
    expect(await first.claims.claim(SLOTS)).toEqual([]);
  });

  it('gives a delivery to one of two replicas', async () => {
    await first.subscribe();
    await first.publishMany(3);
    const [left, right] = await Promise.all([
      first.claims.claim(SLOTS),
      second.claims.claim(SLOTS),
    ]);
    const again = await second.claims.claim(SLOTS);
    const all = [...left, ...right, ...again].map(({ deliveryId }) => deliveryId);
    expect(new Set(all).size).toBe(3);
    expect(all).toHaveLength(3);
  });

  it('never has more than five of a subscription in flight, however many replicas claim at once', async () => {
    await first.subscribe();
    await first.publishMany(40);
    for (let round = 0; round < 10; round += 1) {
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) => (index % 2 ? first : second).claims.claim(SLOTS)),
      );
      const inFlight = claims.flat();
      expect(inFlight.length).toBeLessThanOrEqual(5);
      for (const claim of inFlight) await first.finish(claim, SUCCESS);
    }
  });

  it('takes no more than there are free slots, from several subscriptions', async () => {
    for (let index = 0; index < 4; index += 1) await first.subscribe();
    await first.publishMany(5);
    expect(await first.claims.claim(7)).toHaveLength(7);
    expect(await first.claims.claim(SLOTS)).toHaveLength(13);
    expect(await first.claims.claim(SLOTS)).toHaveLength(0);
  });

  it('is not held up by a subscription that has all its five in flight', async () => {
    await first.subscribe();
    await first.publishMany(20);
    expect(await first.claims.claim(SLOTS)).toHaveLength(5);
    const other = await first.subscribe();
    await first.publish(someEvent());
    const claims = await first.claims.claim(1);
    expect(await first.delivery(claims[0].deliveryId)).toMatchObject({ subscriptionId: other });
  });

  it('passes over subscriptions that are inactive or deleted', async () => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    await first.setActive(subscription, false);
    expect(await first.claims.claim(SLOTS)).toEqual([]);
    await first.setActive(subscription, true);
    expect(await first.claims.claim(SLOTS)).toHaveLength(1);
  });
});

describe('a claim', () => {
  it('names what to send, and the number of the attempt', async () => {
    await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    expect(await first.claims.read(claim, ATTEMPT_MS)).toMatchObject({
      attempt: 1,
      eventName: 'journey.initiated',
      url: 'https://partner.example/hooks',
      secretSealed: 'sealed',
      previousSecretSealed: null,
    });
  });

  it('is good for nothing once the subscription was deleted', async () => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    const delivery = await first.claims.read(claim, ATTEMPT_MS);
    await first.database.transaction((tx) => first.subscriptions.delete(tx, 'bench', subscription));
    expect(await first.claims.read(claim, ATTEMPT_MS)).toBeNull();
    const startedAt = new Date();
    const record = { delivery: delivery!, startedAt, result: REFUSAL, retryDelayMs: 1 };
    expect(await first.records.record(record)).toBe(false);
    expect(await first.delivery(claim.deliveryId)).toMatchObject({ status: 'CANCELLED' });
    expect(await first.attempts(claim.deliveryId)).toEqual([]);
  });

  it('is not begun when the lease would end before the attempt', async () => {
    await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    await first.travel(LEASE_MS - ATTEMPT_MS + 100);
    expect(await first.claims.read(claim, ATTEMPT_MS)).toBeNull();
  });

  it('of a sender that died comes back when its lease has run out, and not before', async () => {
    await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    await first.travel(LEASE_MS - 2_000);
    expect(await second.claims.claim(SLOTS)).toEqual([]);
    await first.travel(2_100);
    const [taken] = await second.claims.claim(SLOTS);
    expect(taken).toEqual({ deliveryId: claim.deliveryId, leaseToken: claim.leaseToken + 1 });
  });

  it.each([
    ['a failure', REFUSAL],
    ['a success', SUCCESS],
  ])('that was taken over makes %s of its old holder void', async (_, late) => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    const [stale] = await first.claims.claim(SLOTS);
    const delivery = await first.claims.read(stale, ATTEMPT_MS);
    await first.travel(LEASE_MS + 100);
    const [fresh] = await second.claims.claim(SLOTS);
    const record = {
      delivery: delivery!,
      startedAt: new Date(),
      result: late,
      retryDelayMs: 5_000,
    };
    expect(await first.records.record(record)).toBe(false);
    expect(await first.delivery(stale.deliveryId)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
    });
    expect(await first.subscription(subscription)).toMatchObject({
      failureCount: 0,
      lastDeliveryAt: null,
    });
    expect(await second.finish(fresh, SUCCESS)).toBe(true);
    expect(await first.records.record(record)).toBe(false);
    expect(await first.delivery(stale.deliveryId)).toMatchObject({
      status: 'SUCCEEDED',
      attempts: 1,
    });
    expect(await first.attempts(stale.deliveryId)).toHaveLength(1);
  });
});
