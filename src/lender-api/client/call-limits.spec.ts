import { describe, expect, it } from 'vitest';
import { CallLimits, type Room } from './call-limits.js';

function limitsOf(callsPerSecond: number, callsAtOnce: number) {
  const time = { now: 0 };
  const limits = new CallLimits({ callsPerSecond, callsAtOnce }, () => time.now);
  return { limits, time };
}

function release(room: Room): void {
  if (room.kind === 'TAKEN') room.release();
}

describe('a lender’s limits', () => {
  it('let so many calls be under way at once', () => {
    const { limits } = limitsOf(100, 2);
    const [first] = [limits.take(), limits.take()];
    expect(limits.take()).toEqual({ kind: 'FULL', waitMs: 250 });
    release(first);
    expect(limits.take().kind).toBe('TAKEN');
  });

  it('let so many calls be made a second, and say when the next one may', () => {
    const { limits, time } = limitsOf(4, 100);
    for (let call = 0; call < 4; call += 1) release(limits.take());
    expect(limits.take()).toEqual({ kind: 'FULL', waitMs: 250 });
    time.now = 249;
    expect(limits.take().kind).toBe('FULL');
    time.now = 250;
    expect(limits.take().kind).toBe('TAKEN');
    expect(limits.take().kind).toBe('FULL');
  });

  it('save up no more than a second’s calls', () => {
    const { limits, time } = limitsOf(3, 100);
    time.now = 60_000;
    const taken = Array.from({ length: 10 }, () => limits.take().kind);
    expect(taken.filter((kind) => kind === 'TAKEN')).toHaveLength(3);
  });
});
