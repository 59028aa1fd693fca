import { describe, expect, it } from 'vitest';
import { CallLimits } from './call-limits.js';

function limitsOf(callsPerSecond: number, callsAtOnce: number) {
  const time = { now: 0 };
  const limits = new CallLimits(() => time.now);
  const take = (isWaitedFor: boolean) => limits.take({ callsPerSecond, callsAtOnce }, isWaitedFor);
  return { limits, take, time };
}

describe('a lender’s limits', () => {
  it('let a number of calls be under way at once', () => {
    const { limits, take } = limitsOf(100, 2);
    expect([take(true), take(true)]).toEqual([0, 0]);
    expect(take(true)).toBe(250);
    limits.release();
    expect(take(true)).toBe(0);
  });

  it('let a number of calls be made a second, and say when the next one may', () => {
    const { limits, take, time } = limitsOf(4, 100);
    for (let call = 0; call < 4; call += 1) {
      expect(take(true)).toBe(0);
      limits.release();
    }
    expect(take(true)).toBe(250);
    time.now = 249;
    expect(take(true)).toBeGreaterThan(0);
    time.now = 250;
    expect(take(true)).toBe(0);
    expect(take(true)).toBeGreaterThan(0);
  });

  it('keep a third for calls that a caller waits for', () => {
    const { limits, take, time } = limitsOf(9, 9);
    const ofItself = Array.from({ length: 7 }, () => take(false));
    expect(ofItself).toEqual([...Array<number>(6).fill(0), 250]);
    for (let call = 0; call < 6; call += 1) limits.release();
    // All places are free again, but only three tokens are left.
    expect(take(false)).toBe(112);
    expect([take(true), take(true), take(true)]).toEqual([0, 0, 0]);
    expect(take(true)).toBeGreaterThan(0);
    time.now = 10_000;
    expect(take(false)).toBe(0);
  });

  it('save up no more than a second’s calls', () => {
    const { take, time } = limitsOf(3, 100);
    time.now = 60_000;
    const taken = Array.from({ length: 10 }, () => take(true));
    expect(taken.filter((wait) => wait === 0)).toHaveLength(3);
  });
});
