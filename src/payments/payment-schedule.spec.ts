import { describe, expect, it } from 'vitest';
import { waitAfterAnswer } from './payment-schedule.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date('2026-11-21T10:00:00Z');

const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

const OPEN = {
  status: 'OPEN',
  statusAt: NOW,
  expiresAt: later(72 * HOUR),
  asks: 0,
  gateway: 'razorpay',
} as const;

describe('when an order is asked about again', () => {
  it('is two minutes after its page was opened, then less and less often, down to hourly', () => {
    const waits = [0, 1, 2, 3, 4, 5, 50].map((asks) => waitAfterAnswer({ ...OPEN, asks }, NOW, 0));
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60].map((minutes) => minutes * MINUTE));
  });

  it('is lengthened by a tenth at most, so that replicas do not ask in step', () => {
    expect(waitAfterAnswer(OPEN, NOW, 0.999_999)).toBe(2.2 * MINUTE);
  });

  it('is at its expiry without fail', () => {
    const ending = { ...OPEN, asks: 20, expiresAt: later(10 * MINUTE) };
    expect(waitAfterAnswer(ending, NOW, 0)).toBe(10 * MINUTE);
    expect(waitAfterAnswer({ ...ending, expiresAt: later(-HOUR) }, NOW, 0)).toBe(0);
  });

  it('is hourly for a day after its end, for money that was on its way', () => {
    const ended = { ...OPEN, status: 'EXPIRED', statusAt: NOW, expiresAt: NOW } as const;
    expect(waitAfterAnswer(ended, later(HOUR), 0)).toBe(HOUR);
    expect(waitAfterAnswer(ended, later(23 * HOUR), 0)).toBe(HOUR);
    expect(waitAfterAnswer(ended, later(24 * HOUR), 0)).toBeNull();
  });

  it('counts that day from its expiry when it was called off before', () => {
    const calledOff = { ...OPEN, status: 'CANCELLED', statusAt: NOW } as const;
    expect(waitAfterAnswer(calledOff, later(95 * HOUR), 0)).toBe(HOUR);
    expect(waitAfterAnswer(calledOff, later(96 * HOUR), 0)).toBeNull();
  });

  it('is never once it is paid, or when no gateway was told of it', () => {
    expect(waitAfterAnswer({ ...OPEN, status: 'PAID' }, NOW, 0)).toBeNull();
    expect(waitAfterAnswer({ ...OPEN, status: 'CANCELLED', gateway: null }, NOW, 0)).toBeNull();
  });
});
