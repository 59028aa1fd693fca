import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AttemptRecords } from '../../../src/webhooks/sending/attempt-records.repository.js';
import { SenderDatabase } from '../../../src/webhooks/sending/sender-database.js';
import { DeliveryBench, REFUSAL, SUCCESS } from './delivery-bench.js';

let bench: DeliveryBench;

// A bench of its own each: what a process holds in memory is part of it.
beforeEach(async () => {
  bench = await DeliveryBench.open();
});

afterEach(() => bench.close());

/** How long something took, in milliseconds. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

describe('a claim', () => {
  it('costs little when thousands of lanes are due and many of them are held here', async () => {
    const lanes = 2_000;
    await bench.database.query(SUBSCRIBE_MANY, [lanes]);
    await bench.publishMany(1);
    const claims = [];
    for (let round = 0; round < 4; round += 1) claims.push(...(await bench.claims.claim(250)));
    expect(claims).toHaveLength(1_000);
    await bench.publishMany(1);
    expect(await took(() => bench.claims.claim(250))).toBeLessThan(200);
  });
});

describe('a result', () => {
  it('counts once for the health when its record is sent twice, the first answer being lost', async () => {
    const id = await bench.subscribe();
    await bench.publishMany(3);
    const claims = await bench.claims.claim(10);
    const database = new SenderDatabase(bench.database);
    const records = new AttemptRecords(database);
    const startedAt = new Date();
    const failed = claims.map((claim) => ({
      claim,
      startedAt,
      result: REFUSAL,
      retryDelayMs: 5_000,
    }));
    await records.record(failed, new Set([id]));
    await records.record(failed, new Set([id]));
    await database.onApplicationShutdown();
    expect(await bench.lane(id)).toMatchObject({ failureCount: 3, probeAt: null });
  });

  it('that cannot be written leaves the lanes of the others of its batch free', async () => {
    const lanes = [await bench.subscribe(), await bench.subscribe()];
    await bench.publishMany(1);
    const claims = await bench.claims.claim(10);
    const unwritable = { ...SUCCESS, responseExcerpt: '\0' };
    const [bad, good] = await Promise.allSettled(
      claims.map((claim, place) => bench.finish(claim, place === 0 ? unwritable : SUCCESS)),
    );
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
    const free = lanes.find((id) => id === claims[1].lane.subscriptionId)!;
    expect((await bench.lane(free)).leaseUntil).toBeNull();
  });
});

const SUBSCRIBE_MANY = `
  WITH subscription AS (
    INSERT INTO webhook_subscriptions (id, partner_id, url, secret_sealed, created_at)
    SELECT 'sub_' || md5(n::text), 'bench', 'https://partner.example/', 'sealed', app_now()
    FROM generate_series(1, $1::int) AS n
    RETURNING id
  )
  INSERT INTO webhook_lanes (subscription_id, partner_id) SELECT id, 'bench' FROM subscription
`;
