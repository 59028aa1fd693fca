// Isolated: what the whole service claims is counted.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../../src/webhooks/store/lane-claims.repository.js';
import { DeliveryBench, REFUSAL, SUCCESS } from './delivery-bench.js';

let bench: DeliveryBench;

// A bench of its own each: what a process holds in memory is part of it.
beforeEach(async () => {
  bench = await DeliveryBench.open();
});

afterEach(() => bench.close());

/** Sends each claim, and then what follows on its lane in the same place, until nothing does. */
async function sendOn(claims: ClaimedDelivery[]): Promise<string[]> {
  const sent: string[] = [];
  const recorded: Promise<unknown>[] = [];
  for (let claim = claims.pop(); claim; claim = claims.pop()) {
    sent.push(claim.deliveryId);
    recorded.push(bench.finish(claim, SUCCESS));
    const next = bench.claims.next(claim);
    if (next) claims.push(next);
  }
  await Promise.all(recorded);
  return sent;
}

describe('the deliveries of a claim', () => {
  it('follow each other on their lane without another claim, each once', async () => {
    await bench.subscribe();
    await bench.publishMany(100);
    const sent: string[] = [];
    let claimCount = 0;
    for (let claims = await bench.claims.claim(); claims.length > 0; claimCount += 1) {
      expect(claims).toHaveLength(5);
      sent.push(...(await sendOn(claims)));
      expect(bench.claims.isMoreKnown).toBe(sent.length < 100);
      claims = await bench.claims.claim();
    }
    expect(new Set(sent).size).toBe(100);
    expect(sent).toHaveLength(100);
    expect(claimCount).toBe(3);
  });

  it('are not sent after a failure, which may open the breaker, nor claimed before its record', async () => {
    await bench.subscribe();
    await bench.publishMany(40);
    const [failed, other] = await bench.claims.claim();
    const recorded = bench.finish(failed, REFUSAL);
    expect(bench.claims.next(other)).toBeUndefined();
    expect(await bench.claims.claim()).toEqual([]);
    await recorded;
    await bench.finish(other, SUCCESS);
    expect(bench.claims.next(other)).toBeUndefined();
  });

  it('are not started when a failure came while they were claimed', async () => {
    await bench.subscribe();
    await bench.publishMany(2);
    const [failed] = await bench.claims.claim();
    await bench.publishMany(2);
    const claiming = bench.claims.claim();
    bench.claims.answered(failed, false);
    expect(await claiming).toEqual([]);
  });

  it('leave room for five at once, and no more', async () => {
    await bench.subscribe();
    await bench.publishMany(50);
    const claims = await bench.claims.claim();
    expect(claims).toHaveLength(5);
    expect(bench.claims.next(claims[0])).toBeUndefined();
    expect(await bench.claims.claim()).toEqual([]);
    const recorded = bench.finish(claims[0], SUCCESS);
    expect(bench.claims.next(claims[0])).toBeDefined();
    expect(bench.claims.next(claims[0])).toBeUndefined();
    await recorded;
  });

  it('are claimed though the answer to the claim before was lost', async () => {
    await bench.subscribe();
    await bench.publishMany(3);
    bench.loseAnswer('webhook-lanes-take');
    await expect(bench.claims.claim()).rejects.toThrow('Connection terminated');
    expect(await bench.claims.claim()).toEqual([]);
    await bench.travel(21_000);
    expect(await bench.claims.claim()).toHaveLength(3);
  });
});

describe('a record', () => {
  it('whose answer was lost counts once for the health', async () => {
    const subscription = await bench.subscribe();
    await bench.publishMany(3);
    const claims = await bench.claims.claim();
    bench.loseAnswer('webhook-attempts-record');
    await Promise.all(claims.map((claim) => bench.finish(claim, REFUSAL)));
    expect(await bench.lane(subscription)).toMatchObject({ failureCount: 3, probeAt: null });
    const attempts = await Promise.all(claims.map(({ deliveryId }) => bench.attempts(deliveryId)));
    expect(attempts.map((rows) => rows.length)).toEqual([1, 1, 1]);
  });

  it('that fails for one leaves the lanes of the others free', async () => {
    const lanes = [await bench.subscribe(), await bench.subscribe()];
    await bench.publishMany(1);
    const claims = await bench.claims.claim();
    expect(new Set(claims.map(({ lane }) => lane.subscriptionId))).toEqual(new Set(lanes));
    // PostgreSQL's text holds no NUL.
    const unwritable = { ...SUCCESS, responseExcerpt: '\0' };
    const results = await Promise.allSettled([
      bench.finish(claims[0], unwritable),
      bench.finish(claims[1], SUCCESS),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await bench.claims.releaseIdle();
    const { leaseUntil } = await bench.lane(claims[1].lane.subscriptionId);
    expect(leaseUntil).toBeNull();
  });
});
