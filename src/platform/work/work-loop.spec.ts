import { Logger } from '@nestjs/common';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exponentialBackoff, WorkLoop } from './work-loop.js';

type Run = () => Promise<number>;

const POLL_MS = 10_000;

let loop: WorkLoop | undefined;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(async () => {
  await loop?.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function start(run: Run, beginsAtRest = false): WorkLoop {
  loop = new WorkLoop({ name: 'test', run, pollMs: POLL_MS, beginsAtRest });
  loop.start();
  return loop;
}

describe('a work loop', () => {
  it('looks at once when it is woken, and starts its interval again', async () => {
    const run = vi.fn<Run>(() => Promise.resolve(0));
    const woken = start(run);
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    woken.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('looks again when it is woken while it is just looking', async () => {
    let finish: (done: number) => void = () => undefined;
    const run = vi.fn<Run>(() => new Promise((resolve) => (finish = resolve)));
    const woken = start(run);
    woken.wake();
    woken.wake();
    finish(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
    finish(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('rests after a failure and goes on', async () => {
    const run = vi.fn<Run>().mockResolvedValue(0);
    run.mockRejectedValueOnce(new Error('the database is away'));
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    start(run);
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(1);
    expect(logged).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('lets what is in progress end before it has stopped, and starts nothing more', async () => {
    let finish: (done: number) => void = () => undefined;
    const run = vi.fn<Run>(() => new Promise((resolve) => (finish = resolve)));
    const stopping = start(run).stop();
    let isStopped = false;
    void stopping.then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(isStopped).toBe(false);
    finish(3);
    await stopping;
    expect(run).toHaveBeenCalledTimes(1);
  });
});

const BOUNDS = { firstMs: 100, maxMs: 1_000, jitter: 0.2 };

describe('exponential backoff', () => {
  it('doubles from the first wait up to the longest', () => {
    const waits = [1, 2, 3, 4, 5, 60, 5_000].map((attempt) =>
      exponentialBackoff(attempt, BOUNDS, 0),
    );
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });

  it('is a whole number between the wait and the wait with its jitter, whatever the fraction', () => {
    fc.assert(
      fc.property(
        fc.nat(2_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, fraction) => {
          const least = exponentialBackoff(attempt, BOUNDS, 0);
          const wait = exponentialBackoff(attempt, BOUNDS, fraction);
          expect(Number.isInteger(wait)).toBe(true);
          expect(wait).toBeGreaterThanOrEqual(least);
          expect(wait).toBeLessThanOrEqual(least * 1.2);
        },
      ),
    );
  });
});
