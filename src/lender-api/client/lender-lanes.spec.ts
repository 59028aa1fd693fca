import { beforeEach, describe, expect, it } from 'vitest';

import { Metrics } from '../../platform/index.js';
import type { Lender } from '../../settings/index.js';
import { LenderCallFailed } from './lender-call-failed.js';
import { LenderCallMetrics } from './lender-call-metrics.js';
import { LenderLanes } from './lender-lanes.js';

const LENDER = { code: 'navdhara' } as Lender;
const LIMITS = { callsPerSecond: 20, callsAtOnce: 100 };

let lanes: LenderLanes;

beforeEach(() => {
  lanes = new LenderLanes(new LenderCallMetrics(new Metrics()));
});

const run = (isWaitedFor: boolean, failure?: LenderCallFailed) =>
  lanes.run(LENDER, LIMITS, isWaitedFor, () =>
    failure ? Promise.reject(failure) : Promise.resolve('answered'),
  );
const pause = async (askAgainInMs: number) => {
  const failure = new LenderCallFailed('asked_to_wait', 'busy', { askAgainInMs });
  await expect(run(false, failure)).rejects.toBe(failure);
};

describe('a lender’s lane', () => {
  it('has calls that somebody waits for wait for their turn, and sends the others away', async () => {
    for (let call = 0; call < 25; call += 1) expect(await run(true)).toBe('answered');
    await expect(run(false)).rejects.toMatchObject({ failure: 'limited' });
  });

  it('is left alone by all calls for as long as the lender asks at one of them', async () => {
    await pause(30_000);
    for (const isWaitedFor of [true, false]) {
      const refused = (await run(isWaitedFor).catch((error: unknown) => error)) as {
        failure: string;
        askAgainInMs: number;
      };
      expect(refused.failure).toBe('asked_to_wait');
      expect(refused.askAgainInMs).toBeGreaterThan(20_000);
      expect(refused.askAgainInMs).toBeLessThanOrEqual(30_000);
    }
  });

  it('is left alone for a minute at most, whatever one answer says', async () => {
    await pause(21_600_000);
    await expect(run(false)).rejects.toSatisfy(
      (error: { askAgainInMs: number }) => error.askAgainInMs <= 60_000,
    );
  });

  it('spends none of its limits while the breaker is open', async () => {
    const failure = new LenderCallFailed('timeout', 'no answer');
    const calls = Array.from({ length: 8 }, () => run(true, failure));
    await Promise.allSettled(calls);
    for (let call = 0; call < 50; call += 1) {
      await expect(run(true)).rejects.toMatchObject({ failure: 'breaker_open' });
    }
  });
});
