// Isolated: what the whole service claims is counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../../src/webhooks/sender/claimed-delivery.js';
import { DeliveryBench, REFUSAL, SUCCESS } from './delivery-bench.js';

const SLOTS = 32;

let bench: DeliveryBench;

// A bench of its own each: what a process holds in memory is part of it.
beforeEach(async () => {
  bench = await DeliveryBench.open();
});

afterEach(() => bench.close());

/** As the sender does: what follows on a lane is sent in the slot that is left, until nothing does. */
async function sendOn(claims: ClaimedDelivery[]): Promise<string[]> {
  const sent: string[] = [];
  const recorded: Promise<unknown>[] = [];
  for (let claim = claims.pop(); claim; claim = claims.pop()) {
    sent.push(claim.deliveryId);
    recorded.push(bench.finish(claim, SUCCESS));
    // A receiver takes its time, in which the lane is read on.
    await sleep(10);
    const next = bench.claims.claimNext(claim);
    if (next) claims.push(next);
  }
  await Promise.all(recorded);
  return sent;
}

describe('what is read ahead on a lane', () => {
  it('follows in the slots of what was claimed, each delivery once, with no claim for it', async () => {
    await bench.subscribe();
    await bench.publishMany(200);
    const claims = await bench.claims.claim(SLOTS);
    expect(claims).toHaveLength(5);
    const sent = await sendOn(claims);
    // More than one read's worth: it reads on before the lane runs dry.
    expect(sent.length).toBeGreaterThan(60);
    expect(new Set(sent).size).toBe(sent.length);
    for (let more = await bench.claims.claim(SLOTS); more.length > 0;) {
      sent.push(...(await sendOn(more)));
      more = await bench.claims.claim(SLOTS);
    }
    expect(new Set(sent).size).toBe(200);
    expect(sent).toHaveLength(200);
  });

  it('is little while lanes wait for slots', async () => {
    for (let count = 0; count < 4; count += 1) await bench.subscribe();
    await bench.publishMany(50);
    const claims = await bench.claims.claim(3);
    expect(new Set(claims.map(({ lane }) => lane.subscriptionId)).size).toBe(3);
    expect(await sendOn(claims)).toHaveLength(3 * 5);
  });

  it('is handed out though the claim that follows it fails', async () => {
    await bench.subscribe();
    await bench.publishMany(40);
    const claims = await bench.claims.claim(SLOTS);
    await Promise.all(claims.slice(0, 2).map((claim) => bench.finish(claim, SUCCESS)));
    bench.loseAnswer('webhook-lanes-take');
    expect(await bench.claims.claim(SLOTS)).toHaveLength(2);
  });

  it('is not sent after a failure, which may be the one that closes the lane', async () => {
    await bench.subscribe();
    await bench.publishMany(40);
    const [claim] = await bench.claims.claim(1 + 1);
    await bench.finish(claim, REFUSAL);
    expect(bench.claims.claimNext(claim)).toBeUndefined();
  });

  it('is not read on a lane that was paused meanwhile', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(200);
    const claims = await bench.claims.claim(SLOTS);
    await bench.setActive(subscription, false);
    const sent = await sendOn(claims);
    expect(sent.length).toBeLessThanOrEqual(45);
  });

  it('leaves room for five at once, and no more', async () => {
    await bench.subscribe();
    await bench.publishMany(50);
    const claims = await bench.claims.claim(SLOTS);
    expect(claims).toHaveLength(5);
    expect(bench.claims.claimNext(claims[0])).toBeUndefined();
    expect(await bench.claims.claim(SLOTS)).toEqual([]);
    const recorded = bench.finish(claims[0], SUCCESS);
    expect(bench.claims.claimNext(claims[0])).toBeDefined();
    expect(bench.claims.claimNext(claims[0])).toBeUndefined();
    await recorded;
  });
});

describe('a record', () => {
  it('whose answer was lost counts once for the health', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(3);
    const claims = await bench.claims.claim(SLOTS);
    bench.loseAnswer('webhook-attempts-record');
    await Promise.all(claims.map((claim) => bench.finish(claim, REFUSAL)));
    expect(await bench.lane(subscription)).toMatchObject({ failureCount: 3, probeAt: null });
    const attempts = await Promise.all(claims.map(({ deliveryId }) => bench.attempts(deliveryId)));
    expect(attempts.map((rows) => rows.length)).toEqual([1, 1, 1]);
  });

  it('that fails for one leaves the lanes of the others free', async () => {
    const lanes = [await bench.subscribe(), await bench.subscribe()];
    await bench.publishMany(1);
    const claims = await bench.claims.claim(SLOTS);
    expect(new Set(claims.map(({ lane }) => lane.subscriptionId))).toEqual(new Set(lanes));
    // PostgreSQL's text holds no NUL.
    const unwritable = { ...SUCCESS, responseExcerpt: '\0' };
    const results = await Promise.allSettled([
      bench.finish(claims[0], unwritable),
      bench.finish(claims[1], SUCCESS),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const { leaseUntil } = await bench.lane(claims[1].lane.subscriptionId);
    expect(leaseUntil).toBeNull();
  });
});

describe('lanes without work', () => {
  it('are given back under load, too, so that any replica may take them', async () => {
    const idle = await bench.subscribe();
    await bench.publishMany(1);
    const [claim] = await bench.claims.claim(SLOTS);
    // A claim is under way while it is recorded, so its lane is not let go of with it.
    const claiming = bench.claims.claim(SLOTS);
    await bench.finish(claim, SUCCESS);
    await claiming;
    await bench.claims.giveBackIdle();
    expect((await bench.lane(idle)).leaseUntil).toBeNull();
  });
});
