// Isolated: counts what the whole service claims.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FIRST_ATTEMPT_SLOTS, SLOTS } from '../../../src/webhooks/store/lane-claim-statements.js';
import { type ClaimedDelivery } from '../../../src/webhooks/store/lane-claims.repository.js';
import { DeliveryBench, REFUSAL, SUCCESS } from './delivery-bench.js';
import { PARTNER, someEvent } from './some-event.js';

const LEASE_MS = 20_000;
/** One partner's share of free slots: three times what it leaves. */
const SHARE = 3 / 4;

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

async function fill(lanes: number, partnerId = PARTNER): Promise<void> {
  await first.database.query(LANES, [lanes, partnerId, await first.subscribe({ partnerId })]);
}

function partnersOf(claims: readonly ClaimedDelivery[]): Set<string> {
  return new Set(claims.map(({ lane }) => lane.partnerId));
}

describe('claiming', () => {
  it('takes the secrets of the moment, also on a lane that is held since before a rotation', async () => {
    const id = await first.subscribe();
    await first.publishMany(200);
    const [taken] = await first.claims.claim();
    await first.database.transaction((tx) => first.subscriptions.rotateSecret(tx, id, 'new'));
    const rotatedAt = performance.now();
    const secretsOf = ({ lane }: ClaimedDelivery) => [
      lane.secretSealed,
      ...lane.previousSecretsSealed,
    ];
    const readAfter = new Set<string>();
    let claim: ClaimedDelivery | undefined = taken;
    for (let sent = 0; claim && sent < 200; sent += 1) {
      await first.finish(claim, SUCCESS);
      if (claim.readAt > rotatedAt) readAfter.add(secretsOf(claim).join());
      claim = first.claims.next(claim) ?? (await first.claims.claim())[0];
    }
    expect(readAfter).toEqual(new Set([`new,${taken.lane.secretSealed}`]));
    const renewed = await first.claims.renew(taken);
    expect(renewed && secretsOf(renewed)).toEqual(['new', taken.lane.secretSealed]);
  });

  it('never has more than five of a subscription in flight, however many replicas claim at once', async () => {
    await first.subscribe();
    await first.publishMany(20);
    const inFlight: { claim: ClaimedDelivery; replica: DeliveryBench }[] = [];
    const maxAtOnce = new Set<number>();
    const ended = new Set<string>();
    for (let round = 0; round < 40 && ended.size < 20; round += 1) {
      const claiming = [first, second].map(async (replica) => {
        const claims = await replica.claims.claim();
        await replica.claims.releaseIdle();
        return claims.map((claim) => ({ claim, replica }));
      });
      inFlight.push(...(await Promise.all(claiming)).flat());
      maxAtOnce.add(inFlight.length);
      // One ends an iteration; the others stay in progress.
      const [one] = inFlight.splice(0, 1);
      ended.add(one.claim.deliveryId);
      expect(await one.replica.finish(one.claim, SUCCESS)).toBe(true);
      const next = one.replica.claims.next(one.claim);
      if (next) inFlight.push({ claim: next, replica: one.replica });
    }
    expect(Math.max(...maxAtOnce)).toBe(5);
    expect(ended.size).toBe(20);
  });

  it.each([
    ['has not succeeded yet', false, 0],
    ['failed at last', true, 1],
  ])('has one of a subscription in flight while it %s', async (_, hasSucceeded, failures) => {
    const id = await first.subscribe();
    await first.publishMany(4);
    await first.database.query(
      `UPDATE webhook_lanes SET has_succeeded = $2, failure_count = $3 WHERE subscription_id = $1`,
      [id, hasSucceeded, failures],
    );
    const [claim, ...none] = await first.claims.claim();
    expect(none).toEqual([]);
    await first.finish(claim, SUCCESS);
    expect(await first.claims.claim()).toHaveLength(3);
  });

  it('leaves slots free for other partners, and each partner its first lane', async () => {
    await fill(400);
    const claims = await first.claims.claim();
    expect(claims.length).toBeGreaterThan(SLOTS * SHARE - 5);
    expect(claims.length).toBeLessThanOrEqual(SLOTS * SHARE);
    await first.database.query(
      `INSERT INTO partners (id, name) SELECT 'p_' || n, n FROM generate_series(0, 99) AS n`,
    );
    for (let partner = 0; partner < 100; partner += 1) await fill(20, `p_${partner}`);
    const others = partnersOf(await first.claims.claim());
    expect(others.size).toBe(100);
    await fill(1, 'other');
    expect(partnersOf(await first.claims.claim())).toContain('other');
  });

  it('takes the one least recently served first', async () => {
    await fill(400);
    const served = await first.claims.claim();
    await Promise.all(served.map((claim) => first.finish(claim, SUCCESS)));
    await first.claims.releaseAll();
    const lanes = new Set(served.map(({ lane }) => lane.subscriptionId));
    const next = await first.claims.claim();
    expect(next.length).toBeGreaterThan(SLOTS / 2);
    expect(next.filter(({ lane }) => lanes.has(lane.subscriptionId))).toEqual([]);
  });

  it('keeps a third of the slots for first attempts', async () => {
    await fill(400);
    await first.database.query('UPDATE webhook_queue SET attempts = 1');
    const retries = await first.claims.claim();
    expect(retries.length).toBeGreaterThan((SLOTS - FIRST_ATTEMPT_SLOTS) * SHARE - 5);
    expect(retries.length).toBeLessThanOrEqual((SLOTS - FIRST_ATTEMPT_SLOTS) * SHARE);
    await first.database.query('DELETE FROM webhook_queue WHERE attempts = 1');
    await fill(100);
    const others = await first.claims.claim();
    expect(others.length).toBeGreaterThan(SLOTS * SHARE - retries.length - 5);
    expect(new Set(others.map(({ attempt }) => attempt))).toEqual(new Set([1]));
  });
});

describe('a claim', () => {
  it('has its attempt recorded once, though the result is reported twice', async () => {
    await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim();
    expect(await first.finish(claim, REFUSAL, 60_000)).toBe(true);
    expect(await first.finish(claim, REFUSAL, 60_000)).toBe(false);
    expect(await first.attempts(claim.deliveryId)).toHaveLength(1);
  });

  it('starts nothing on a lane after a failure, which may open the breaker, before its record', async () => {
    await first.subscribe();
    await first.publishMany(40);
    const [failed, other] = await first.claims.claim();
    const recorded = first.finish(failed, REFUSAL);
    expect(first.claims.next(other)).toBeUndefined();
    expect(await first.claims.claim()).toEqual([]);
    await recorded;
    await first.finish(other, SUCCESS);
    expect(first.claims.next(other)).toBeUndefined();
  });

  it('is good for nothing once the subscription was deleted', async () => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    const [claim] = await first.claims.claim();
    await first.database.transaction((tx) => first.subscriptions.delete(tx, 'bench', subscription));
    expect(await first.finish(claim, REFUSAL, 1)).toBe(false);
    expect(await first.delivery(claim.deliveryId)).toMatchObject({ status: 'CANCELLED' });
    expect(await first.attempts(claim.deliveryId)).toEqual([]);
    expect(await first.claims.claim()).toEqual([]);
    expect(await first.database.query('SELECT FROM webhook_lanes')).toEqual([]);
  });

  it.each([
    ['a failure', REFUSAL],
    ['a success', SUCCESS],
  ])('that was taken over makes %s of its old holder void', async (_, late) => {
    const subscription = await first.subscribe();
    await first.publish(someEvent());
    const [stale] = await first.claims.claim();
    await first.travel(LEASE_MS + 100);
    const [fresh] = await second.claims.claim();
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
});

const LANES = `
  WITH one AS (
    SELECT 'sub_' || md5($3 || n) AS id FROM generate_series(1, $1::int) AS n
  ),
  lane AS (
    INSERT INTO webhook_lanes (subscription_id, partner_id, has_succeeded) SELECT id, $2, true FROM one
  ),
  subscription AS (
    INSERT INTO webhook_subscriptions (id, partner_id, url, events, secret_sealed, created_at)
    SELECT id, $2, 'https://partner.example/hooks', '{}', 'sealed', app_now() FROM one
  ),
  event AS (
    INSERT INTO webhook_events (id, partner_id, name, body, created_at)
    VALUES ('evt_' || md5($3), $2, 'journey.initiated', '{}', app_now())
  ),
  made AS (
    SELECT one.id AS lane, md5(one.id || place) AS id FROM one CROSS JOIN generate_series(1, 5) AS place
  )
  INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, next_attempt_at)
  SELECT 'dlv_' || id, $2, lane, 'evt_' || md5($3), app_now() FROM made
`;
