import { describe, expect, it } from 'vitest';
import { isNoLongerChecked, waitAfterAnswer, waitAfterFailure } from './payment-schedule.js';

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

  it('is an hour, six hours and a day after its end, for money that was on its way', () => {
    const ended = { ...OPEN, status: 'EXPIRED', statusAt: NOW, expiresAt: NOW } as const;
    const wait = (hours: number) => waitAfterAnswer(ended, later(hours * HOUR), 0);
    expect([wait(0), wait(1), wait(6)]).toEqual([HOUR, 5 * HOUR, 18 * HOUR]);
    expect(wait(24)).toBeNull();
    // Checks by the applicant in between change nothing.
    expect([wait(0.5), wait(5), wait(23)]).toEqual([HOUR / 2, HOUR, HOUR]);
  });

  it('is not wanted again right after an answer, nor after the last look', () => {
    const ended = { ...OPEN, status: 'EXPIRED', statusAt: NOW, expiresAt: NOW } as const;
    const justBefore = (hours: number) => later(hours * HOUR - MINUTE);
    expect(waitAfterAnswer(ended, justBefore(1), 0)).toBe(5 * HOUR + MINUTE);
    expect(waitAfterAnswer(ended, justBefore(24), 0)).toBeNull();
    expect(waitAfterAnswer(ended, later(500 * HOUR), 0)).toBeNull();
  });

  it('is a last time a day after its expiry when it was cancelled before', () => {
    const calledOff = { ...OPEN, status: 'CANCELLED', statusAt: NOW } as const;
    const wait = (hours: number) => waitAfterAnswer(calledOff, later(hours * HOUR), 0);
    expect([wait(0), wait(1), wait(6)]).toEqual([HOUR, 5 * HOUR, 90 * HOUR]);
    expect(wait(96)).toBeNull();
  });

  it('never comes once it is paid, or when no gateway knows of it', () => {
    expect(waitAfterAnswer({ ...OPEN, status: 'PAID' }, NOW, 0)).toBeNull();
    expect(waitAfterAnswer({ ...OPEN, status: 'CANCELLED', gateway: null }, NOW, 0)).toBeNull();
  });
});

describe('when a call that failed is made again', () => {
  type Standing = Parameters<typeof waitAfterFailure>[0];
  const EVER: Standing = OPEN;
  const ENDED: Standing = { ...OPEN, status: 'EXPIRED', expiresAt: NOW };
  const wait = (failures: number, isLong = false, order = EVER, now = NOW) =>
    waitAfterFailure(order, { failures, isLong }, now, 0);

  it('is at once, then less and less often, down to every five minutes', () => {
    const waits = [1, 2, 3, 8, 9, 10, 200].map((failures) => wait(failures));
    expect(waits).toEqual([1, 2, 4, 128, 256, 300, 300].map((seconds) => seconds * 1_000));
  });

  it('is hourly once it has failed for long, for as long as it can be paid', () => {
    expect(wait(300, true)).toBe(HOUR);
    expect(wait(300, true, EVER, later(10_000 * HOUR))).toBe(HOUR);
  });

  it('is until a day after the last look at an order that is over', () => {
    expect(isNoLongerChecked(ENDED, later(48 * HOUR - 1))).toBe(false);
    expect(wait(3, false, ENDED, later(48 * HOUR - 1))).toBe(4_000);
    expect(isNoLongerChecked(ENDED, later(48 * HOUR))).toBe(true);
    expect(wait(3, false, ENDED, later(48 * HOUR))).toBeNull();
  });

  it('is never of one that is paid', () => {
    expect(wait(1, false, { ...OPEN, status: 'PAID' })).toBeNull();
  });
});
