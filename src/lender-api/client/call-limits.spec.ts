import { describe, expect, it } from 'vitest';
import { CallLimits, type Urgency } from './call-limits.js';

function limitsOf(callsPerSecond: number, callsAtOnce: number) {
  const time = { now: 0 };
  const limits = new CallLimits(() => time.now);
  const take = (urgency: Urgency) => limits.take({ callsPerSecond, callsAtOnce }, urgency);
  return { limits, take, time };
}

describe('a lender’s limits', () => {
  it('let a number of calls be under way at once', () => {
    const { limits, take } = limitsOf(100, 2);
    expect([take('WAITED_FOR'), take('WAITED_FOR')]).toEqual([0, 0]);
    expect(take('WAITED_FOR')).toBe(250);
    limits.release();
    expect(take('WAITED_FOR')).toBe(0);
  });

  it('let a number of calls be made a second, and say when the next one may', () => {
    const { limits, take, time } = limitsOf(4, 100);
    for (let call = 0; call < 4; call += 1) {
      expect(take('WAITED_FOR')).toBe(0);
      limits.release();
    }
    expect(take('WAITED_FOR')).toBe(250);
    time.now = 249;
    expect(take('WAITED_FOR')).toBeGreaterThan(0);
    time.now = 250;
    expect(take('WAITED_FOR')).toBe(0);
    expect(take('WAITED_FOR')).toBeGreaterThan(0);
  });

  it('keep a third for calls that a caller waits for', () => {
    const { limits, take, time } = limitsOf(9, 9);
    const ofItself = Array.from({ length: 7 }, () => take('QUEUED'));
    expect(ofItself).toEqual([...Array<number>(6).fill(0), 250]);
    for (let call = 0; call < 6; call += 1) limits.release();
    // All places are free again, but only three tokens are left.
    expect(take('QUEUED')).toBe(112);
    expect([take('WAITED_FOR'), take('WAITED_FOR'), take('WAITED_FOR')]).toEqual([0, 0, 0]);
    expect(take('WAITED_FOR')).toBeGreaterThan(0);
    time.now = 10_000;
    expect(take('QUEUED')).toBe(0);
  });

  it('keep two thirds for loans when a call moves none', () => {
    const { take } = limitsOf(9, 9);
    const soft = Array.from({ length: 4 }, () => take('SOFT'));
    expect(soft).toEqual([0, 0, 0, 250]);
    const queued = Array.from({ length: 4 }, () => take('QUEUED'));
    expect(queued).toEqual([0, 0, 0, 250]);
    expect(take('WAITED_FOR')).toBe(0);
  });

  it.each([
    [1, 100],
    [2, 100],
    [100, 1],
    [100, 2],
  ])(
    'leave no third to soft calls at %i a second and %i at once',
    (callsPerSecond, callsAtOnce) => {
      const { take, time } = limitsOf(callsPerSecond, callsAtOnce);
      time.now = 60_000;
      expect(take('SOFT')).toBeGreaterThan(0);
      expect(take('QUEUED')).toBe(0);
    },
  );

  it('save up no more than a second’s calls', () => {
    const { take, time } = limitsOf(3, 100);
    time.now = 60_000;
    const taken = Array.from({ length: 10 }, () => take('WAITED_FOR'));
    expect(taken.filter((wait) => wait === 0)).toHaveLength(3);
  });
});
