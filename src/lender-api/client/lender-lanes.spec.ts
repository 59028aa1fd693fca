import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Metrics } from '../../platform/index.js';
import type { Lender } from '../../settings/index.js';
import type { Urgency } from './call-limits.js';
import { type CallFailure, LenderCallFailed, LenderCallMetrics } from './lender-call-metrics.js';
import { type CallEnd, CircuitBreaker, LenderLanes } from './lender-lanes.js';

const LENDER = { code: 'navdhara' } as Lender;
const LIMITS = { callsPerSecond: 20, callsAtOnce: 100 };
const WIDE = { callsPerSecond: 1_000, callsAtOnce: 100 };

let lanes: LenderLanes;

beforeEach(() => {
  lanes = new LenderLanes(new LenderCallMetrics(new Metrics()));
});

const run = (urgency: Urgency, failure?: LenderCallFailed, limits = LIMITS) =>
  lanes.run(LENDER, limits, urgency, () =>
    failure ? Promise.reject(failure) : Promise.resolve('answered'),
  );
const pause = async (askAgainInMs: number) => {
  const failure = new LenderCallFailed('asked_to_wait', 'busy', { askAgainInMs });
  await expect(run('QUEUED', failure)).rejects.toBe(failure);
};

describe('a lender’s lane', () => {
  it('has calls that a caller waits for wait for their turn, and sends the others away', async () => {
    for (let call = 0; call < 25; call += 1) expect(await run('WAITED_FOR')).toBe('answered');
    await expect(run('QUEUED')).rejects.toMatchObject({
      failure: 'limited',
      isNotCalled: true,
    });
  });

  it('is left alone by all calls for as long as the lender asks at one of them', async () => {
    await pause(30_000);
    for (const urgency of ['WAITED_FOR', 'QUEUED', 'SOFT'] as const) {
      const refused = (await run(urgency).catch((error: unknown) => error)) as {
        failure: string;
        askAgainInMs: number;
      };
      expect(refused.failure).toBe('asked_to_wait');
      expect(refused.askAgainInMs).toBeGreaterThan(20_000);
      expect(refused.askAgainInMs).toBeLessThanOrEqual(30_000);
    }
  });
});

describe('a lane’s breaker', () => {
  const failWith = async (failure: CallFailure, times: number) => {
    for (let call = 0; call < times; call += 1) {
      const error = new LenderCallFailed(failure, 'it failed');
      await expect(run('WAITED_FOR', error)).rejects.toBe(error);
    }
  };

  it.each<[CallFailure, boolean]>([
    ['unreachable', true],
    ['error_status', true],
    ['signature_refused', true],
    ['refused', false],
    ['invalid_answer', false],
    ['invalid_question', false],
  ])('after eight calls that failed with %s is open: %s', async (failure, isOpen) => {
    await failWith(failure, 8);
    expect(lanes.isOpen(LENDER.code)).toBe(isOpen);
  });

  it('counts on after an answer that breaks the protocol, which may concern one journey only', async () => {
    await failWith('error_status', 7);
    await failWith('invalid_answer', 1);
    await failWith('error_status', 1);
    expect(lanes.isOpen(LENDER.code)).toBe(true);
  });
});

describe('soft calls', () => {
  const soft = async (failure: CallFailure) => {
    const error = new LenderCallFailed(failure, 'it failed', { askAgainInMs: 60_000 });
    await run('SOFT', error, WIDE).catch(() => undefined);
  };
  const FAILURES: readonly CallFailure[] = [
    'timeout',
    'unreachable',
    'error_status',
    'signature_refused',
    'asked_to_wait',
    'invalid_answer',
  ];

  it('never keep a loan’s call from the lender, however they end', async () => {
    const histories = fc.array(fc.constantFrom(...FAILURES), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        lanes = new LenderLanes(new LenderCallMetrics(new Metrics()));
        for (const failure of history) await soft(failure);
        expect(lanes.isOpen(LENDER.code)).toBe(false);
        expect(await run('QUEUED', undefined, WIDE)).toBe('answered');
        expect(await run('WAITED_FOR', undefined, WIDE)).toBe('answered');
      }),
      { seed: 495, numRuns: 100 },
    );
  });

  it('pause after eight that failed', async () => {
    for (let call = 0; call < 8; call += 1) await soft('timeout');
    await expect(run('SOFT', undefined, WIDE)).rejects.toMatchObject({ failure: 'breaker_open' });
  });

  it('are not made to a lender that is away, whose first call after the pause is for a loan', async () => {
    const error = new LenderCallFailed('timeout', 'it failed');
    for (let call = 0; call < 8; call += 1) await run('QUEUED', error).catch(() => undefined);
    await expect(run('SOFT', undefined, WIDE)).rejects.toMatchObject({ failure: 'breaker_open' });
  });
});

let now = 0;
let breaker: CircuitBreaker;

beforeEach(() => {
  now = 0;
  breaker = new CircuitBreaker(() => now);
});

/** Begins a call and returns the function that ends it. */
function begun(): (how: CallEnd) => void {
  const admission = breaker.admit();
  if (admission.kind === 'OPEN') throw new Error('the breaker is open');
  return admission.end;
}

function fail(times: number): void {
  const calls = Array.from({ length: times }, begun);
  for (const end of calls) end('UNKNOWN');
}

const isAdmitted = () => breaker.admit().kind === 'ADMITTED';

describe('a breaker', () => {
  it('opens after eight unknown answers in a row, and not before', () => {
    fail(7);
    expect(isAdmitted()).toBe(true);
    fail(1);
    expect(breaker.admit()).toEqual({ kind: 'OPEN', waitMs: 5_000 });
  });

  it('counts again from zero after an answer', () => {
    fail(7);
    begun()('ANSWERED');
    fail(7);
    expect(isAdmitted()).toBe(true);
  });

  it('lets one call try the lender after the pause, and closes when it is answered', () => {
    fail(8);
    now = 5_000;
    const end = begun();
    expect(isAdmitted()).toBe(false);
    end('ANSWERED');
    expect(isAdmitted()).toBe(true);
    expect(isAdmitted()).toBe(true);
  });

  it('keeps the others away until the call that tries the lender has ended at the latest', () => {
    fail(8);
    now = 5_000;
    begun();
    expect(breaker.admit()).toEqual({ kind: 'OPEN', waitMs: 10_000 });
    now = 12_000;
    expect(breaker.admit()).toEqual({ kind: 'OPEN', waitMs: 3_000 });
    now = 16_000;
    expect(breaker.admit()).toEqual({ kind: 'OPEN', waitMs: 1_000 });
  });

  it('waits twice as long after each call that tried in vain, up to two minutes', () => {
    fail(8);
    let pauseMs = 5_000;
    for (let tries = 0; tries < 8; tries += 1) {
      now += pauseMs;
      begun()('UNKNOWN');
      pauseMs = Math.min(2 * pauseMs, 120_000);
      expect(breaker.admit()).toEqual({ kind: 'OPEN', waitMs: pauseMs });
    }
  });

  it('heeds neither failures nor ends of calls that were under way when it opened', () => {
    const early = Array.from({ length: 5 }, begun);
    fail(8);
    now = 4_000;
    for (const end of early.slice(0, 2)) end('UNKNOWN');
    now = 5_000;
    begun();
    for (const end of early.slice(2, 4)) end('UNKNOWN');
    early[4]('UNTOLD');
    // The probe is in progress: no other call is admitted, and the pause is unchanged.
    expect(breaker.admit()).toEqual({ kind: 'OPEN', waitMs: 10_000 });
  });
});
