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
    const [first] = [limits.take(true), limits.take(true)];
    expect(limits.take(true)).toEqual({ kind: 'FULL', waitMs: 250 });
    release(first);
    expect(limits.take(true).kind).toBe('TAKEN');
  });

  it('let so many calls be made a second, and say when the next one may', () => {
    const { limits, time } = limitsOf(4, 100);
    for (let call = 0; call < 4; call += 1) release(limits.take(true));
    expect(limits.take(true)).toEqual({ kind: 'FULL', waitMs: 250 });
    time.now = 249;
    expect(limits.take(true).kind).toBe('FULL');
    time.now = 250;
    expect(limits.take(true).kind).toBe('TAKEN');
    expect(limits.take(true).kind).toBe('FULL');
  });

  it('keep a third for calls that somebody waits for', () => {
    const { limits, time } = limitsOf(9, 9);
    const ofItself = Array.from({ length: 7 }, () => limits.take(false));
    expect(ofItself.map(({ kind }) => kind)).toEqual([...Array<string>(6).fill('TAKEN'), 'FULL']);
    for (const room of ofItself) release(room);
    // No place is taken any more, but three tokens are all that is left.
    expect(limits.take(false)).toEqual({ kind: 'FULL', waitMs: 112 });
    const waitedFor = Array.from({ length: 4 }, () => limits.take(true));
    expect(waitedFor.map(({ kind }) => kind)).toEqual(['TAKEN', 'TAKEN', 'TAKEN', 'FULL']);
    time.now = 10_000;
    expect(limits.take(false).kind).toBe('TAKEN');
  });

  it('save up no more than a second’s calls', () => {
    const { limits, time } = limitsOf(3, 100);
    time.now = 60_000;
    const taken = Array.from({ length: 10 }, () => limits.take(true).kind);
    expect(taken.filter((kind) => kind === 'TAKEN')).toHaveLength(3);
  });
});
