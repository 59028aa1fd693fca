// Isolated: what the whole service claims is counted.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../../src/webhooks/sender/claimed-delivery.js';
import { MAX_RETRIES_IN_FLIGHT } from '../../../src/webhooks/sender/delivery-claims.js';
import { MAX_IN_FLIGHT, SLOTS as SLOTS_OF } from '../../../src/webhooks/sender/slot-shares.js';
import { DeliveryBench, REFUSAL, SUCCESS } from './delivery-bench.js';
import { someEvent } from './some-event.js';

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
  it('takes the secrets of the moment, also on a lane that is held since before a rotation', async () => {
    const id = await first.subscribe();
    await first.publishMany(400);
    const [taken] = await first.claims.claim(1);
    await first.database.transaction((tx) => first.subscriptions.rotateSecret(tx, id, 'new'));
    const rotatedAt = performance.now();
    const readAfter: ClaimedDelivery[] = [];
    let claim: ClaimedDelivery | undefined = taken;
    for (let sent = 0; claim && sent < 400; sent += 1) {
      await first.finish(claim, SUCCESS);
      if (claim.readAt > rotatedAt) readAfter.push(claim);
      claim = first.claims.claimNext(claim) ?? (await first.claims.claim(1))[0];
    }
    expect(readAfter.length).toBeGreaterThan(0);
    const secretsOf = ({ lane }: ClaimedDelivery) => [
      lane.secretSealed,
      ...lane.previousSecretsSealed,
    ];
    expect(new Set(readAfter.map((one) => secretsOf(one).join()))).toEqual(
      new Set([`new,${taken.lane.secretSealed}`]),
    );
    const renewed = await first.claims.renew(taken);
    expect(renewed && secretsOf(renewed)).toEqual(['new', taken.lane.secretSealed]);
  });

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

  it('knows of more when lanes are left, and when a full lane was passed over', async () => {
    for (let index = 0; index < 3; index += 1) await first.subscribe();
    await first.publishMany(5);
    const fresh = await first.replica();
    const claims = await fresh.claims.claim(2);
    expect(fresh.claims.areLanesLeft).toBe(true);
    claims.push(...(await fresh.claims.claim(SLOTS)), ...(await fresh.claims.claim(SLOTS)));
    expect(claims).toHaveLength(15);
    expect([fresh.claims.areLanesLeft, fresh.claims.isMoreKnown]).toEqual([false, false]);
    await first.publishMany(1);
    expect(await fresh.claims.claim(SLOTS)).toEqual([]);
    for (const claim of claims) await fresh.finish(claim, SUCCESS);
    expect(fresh.claims.isMoreKnown).toBe(true);
    expect(await fresh.claims.claim(SLOTS)).toHaveLength(3);
    await fresh.close();
  });

  it('never has more than five of a subscription in flight, however many replicas claim at once', async () => {
    await first.subscribe();
    await first.publishMany(20);
    const inFlight: { claim: ClaimedDelivery; replica: DeliveryBench }[] = [];
    const maxAtOnce = new Set<number>();
    const ended = new Set<string>();
    for (let round = 0; round < 40 && ended.size < 20; round += 1) {
      const claiming = Array.from({ length: 8 }, async (_, index) => {
        const replica = index % 2 ? first : second;
        const claims = await replica.claims.claim(SLOTS);
        return claims.map((claim) => ({ claim, replica }));
      });
      inFlight.push(...(await Promise.all(claiming)).flat());
      maxAtOnce.add(inFlight.length);
      // One ends a round: the others stay in flight, and its place alone is to be had.
      const [one] = inFlight.splice(0, 1);
      ended.add(one.claim.deliveryId);
      expect(await one.replica.finish(one.claim, SUCCESS)).toBe(true);
    }
    expect(Math.max(...maxAtOnce)).toBe(5);
    expect(ended.size).toBe(20);
  });

  it.each([
    ['has not succeeded yet', null, 0],
    ['failed at last', 5, 1],
  ])('has one of a subscription in flight while it %s', async (_, answerMs, failures) => {
    const id = await first.subscribe();
    await first.publishMany(4);
    await first.database.query(
      `UPDATE webhook_lanes SET answer_ms = $2, failure_count = $3 WHERE subscription_id = $1`,
      [id, answerMs, failures],
    );
    const [claim, ...none] = await first.claims.claim(SLOTS);
    expect(none).toEqual([]);
    await first.finish(claim, SUCCESS);
    expect(await first.claims.claim(SLOTS)).toHaveLength(3);
  });

  it('gives each partner a first slot before any its second, of lanes that were never served', async () => {
    for (let index = 0; index < 30; index += 1) await first.subscribe({ answerMs: null });
    await first.publishMany(1);
    const other = await first.subscribe({ partnerId: 'other', answerMs: null });
    await first.publish(someEvent({ partnerId: 'other' }));
    const claims = await first.claims.claim(2);
    expect(claims.map(({ lane }) => lane.subscriptionId)).toContain(other);
  });

  it('leaves a partner’s first slot free when another has all that it may have', async () => {
    for (let index = 0; index < 400; index += 1) await first.subscribe({ answerMs: 4_900 });
    await first.publishMany(1);
    expect(await first.claims.claim(MAX_IN_FLIGHT)).toHaveLength((SLOTS_OF.SLOW * 3) / 4);
    expect(await first.claims.claim(MAX_IN_FLIGHT)).toEqual([]);
    const other = await first.subscribe({ partnerId: 'other', answerMs: 4_900 });
    await first.publish(someEvent({ partnerId: 'other' }));
    const [claim] = await first.claims.claim(MAX_IN_FLIGHT);
    expect(claim.lane.subscriptionId).toBe(other);
    // Nor do slow lanes keep a prompt one of their own partner waiting.
    const prompt = await first.subscribe({ events: ['journey.completed'] });
    await first.publish(someEvent({ name: 'journey.completed' }));
    const claims = await first.claims.claim(MAX_IN_FLIGHT);
    expect(claims.map(({ lane }) => lane.subscriptionId)).toContain(prompt);
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
    expect(claims[0].lane.subscriptionId).toBe(other);
  });

  it('takes the one least recently served first', async () => {
    const [one, other] = [await first.subscribe(), await first.subscribe()];
    await first.publishMany(3);
    const order: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const [claim] = await first.claims.claim(1);
      order.push(claim.lane.subscriptionId);
    }
    expect(order).toEqual([one, other, one, other]);
  });

  it('passes over subscriptions that are inactive or deleted', async () => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    await first.setActive(subscription, false);
    expect(await first.claims.claim(SLOTS)).toEqual([]);
    await first.setActive(subscription, true);
    expect(await first.claims.claim(SLOTS)).toHaveLength(1);
  });

  it('keeps a third of the slots for first attempts', async () => {
    for (let index = 0; index < 60; index += 1) await first.subscribe();
    await first.publishMany(5);
    await first.database.query('UPDATE webhook_queue SET attempts = 1');
    const retries = await first.claims.claim(MAX_IN_FLIGHT);
    expect(retries).toHaveLength(MAX_RETRIES_IN_FLIGHT);
    expect(await first.claims.claim(MAX_IN_FLIGHT)).toEqual([]);
    for (let index = 0; index < 40; index += 1) await first.subscribe();
    await first.publishMany(3);
    const others = await first.claims.claim(MAX_IN_FLIGHT);
    expect(others.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: (SLOTS_OF.PROMPT * 3) / 4 - retries.length }, () => 1),
    );
  });
});

describe('a lane', () => {
  it('is left to the sender that holds it, and free as soon as nothing is in flight', async () => {
    const subscription = await first.subscribe();
    await first.publishMany(5);
    const claims = await first.claims.claim(SLOTS);
    expect(claims).toHaveLength(5);
    await first.publishMany(2);
    expect(await second.claims.claim(SLOTS)).toEqual([]);
    await Promise.all(claims.map((claim) => first.finish(claim, SUCCESS)));
    expect(await first.lane(subscription)).toMatchObject({ leaseUntil: null });
    const taken = await second.claims.claim(SLOTS);
    expect(taken).toHaveLength(2);
    expect(taken[0].lane.leaseToken).toBe(claims[0].lane.leaseToken + 1);
  });

  it('is given more while it has room, by the sender that holds it', async () => {
    await first.subscribe();
    await first.publishMany(7);
    const [one, ...others] = await first.claims.claim(SLOTS);
    await first.finish(one, SUCCESS);
    const [more, ...none] = await first.claims.claim(SLOTS);
    expect(none).toEqual([]);
    expect([one, ...others].map(({ deliveryId }) => deliveryId)).not.toContain(more.deliveryId);
    expect(more.lane.leaseToken).toBe(one.lane.leaseToken);
  });

  it('that was taken in vain is given back', async () => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    // Already in flight, so the lane has nothing to give, and keeps its lease for what is.
    expect(await first.claims.claim(SLOTS)).toEqual([]);
    await first.claims.giveBackIdle();
    expect((await first.lane(subscription)).leaseUntil).not.toBeNull();
    await first.finish(claim, SUCCESS);
    expect((await first.lane(subscription)).leaseUntil).toBeNull();
  });
});

describe('a claim', () => {
  it('names what to send, and the number of the attempt', async () => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    expect(claim).toMatchObject({
      attempt: 1,
      eventName: 'journey.initiated',
      body: expect.stringContaining('journey.initiated') as string,
      lane: {
        subscriptionId: subscription,
        url: 'https://partner.example/hooks',
        secretSealed: 'sealed',
        previousSecretsSealed: [],
        isProbe: false,
      },
    });
  });

  it('has its attempt recorded once, though it is told twice', async () => {
    await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    expect(await first.finish(claim, REFUSAL, 60_000)).toBe(true);
    expect(await first.finish(claim, REFUSAL, 60_000)).toBe(false);
    expect(await first.attempts(claim.deliveryId)).toHaveLength(1);
  });

  it('is good for nothing once the subscription was deleted', async () => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    await first.database.transaction((tx) => first.subscriptions.delete(tx, 'bench', subscription));
    expect(await first.finish(claim, REFUSAL, 1)).toBe(false);
    expect(await first.delivery(claim.deliveryId)).toMatchObject({ status: 'CANCELLED' });
    expect(await first.attempts(claim.deliveryId)).toEqual([]);
    expect(await first.claims.claim(SLOTS)).toEqual([]);
    expect(await first.database.query('SELECT FROM webhook_lanes')).toEqual([]);
  });

  it('of a sender that died comes back when its lease has run out, and not before', async () => {
    await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim(SLOTS);
    await first.travel(LEASE_MS - 2_000);
    expect(await second.claims.claim(SLOTS)).toEqual([]);
    await first.travel(2_100);
    const [taken] = await second.claims.claim(SLOTS);
    expect(taken.deliveryId).toBe(claim.deliveryId);
    expect(taken.lane.leaseToken).toBe(claim.lane.leaseToken + 1);
  });

  it.each([
    ['a failure', REFUSAL],
    ['a success', SUCCESS],
  ])('that was taken over makes %s of its old holder void', async (_, late) => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    const [stale] = await first.claims.claim(SLOTS);
    await first.travel(LEASE_MS + 100);
    const [fresh] = await second.claims.claim(SLOTS);
    expect(await first.finish(stale, late)).toBe(false);
    expect(await first.delivery(stale.deliveryId)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
    });
    expect(await first.lane(subscription)).toMatchObject({
      failureCount: 0,
      lastDeliveryAt: null,
    });
    expect((await first.lane(subscription)).leaseUntil).not.toBeNull();
    expect(await second.finish(fresh, SUCCESS)).toBe(true);
    expect(await first.finish(stale, late)).toBe(false);
    expect(await first.delivery(stale.deliveryId)).toMatchObject({
      status: 'SUCCEEDED',
      attempts: 1,
    });
    expect(await first.attempts(stale.deliveryId)).toHaveLength(1);
  });

  it('whose result cannot be written does not take the others of its batch with it', async () => {
    await first.subscribe();
    await first.publishMany(3);
    const [broken, ...others] = await first.claims.claim(SLOTS);
    // PostgreSQL's text holds no NUL.
    const unwritable = first.finish(broken, { ...REFUSAL, responseExcerpt: 'a\0' });
    const written = Promise.all(others.map((claim) => first.finish(claim, SUCCESS)));
    await expect(unwritable).rejects.toThrow('invalid byte sequence');
    expect(await written).toEqual([true, true]);
    // It is not sent again at once.
    expect(await first.claims.claim(SLOTS)).toEqual([]);
    expect(await first.delivery(broken.deliveryId)).toMatchObject({ status: 'PENDING' });
  });
});
