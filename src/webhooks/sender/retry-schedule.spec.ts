import { describe, expect, it } from 'vitest';
import { MAX_ATTEMPTS, retryAfterMs, retryDelayMs } from './retry-schedule.js';

const HOUR_MS = 3_600_000;

describe('retryDelayMs', () => {
  it('follows the schedule of decisions §9 and ends with the twelfth attempt', () => {
    const seconds = Array.from({ length: MAX_ATTEMPTS }, (_, index) => retryDelayMs(index + 1, 0));
    expect(seconds.map((milliseconds) => milliseconds && milliseconds / 1000)).toEqual([
      5,
      30,
      120,
      600,
      1_800,
      3_600,
      7_200,
      14_400,
      28_800,
      43_200,
      86_400,
      null,
    ]);
  });

  it('adds up to a fifth', () => {
    expect(retryDelayMs(1, 0.5)).toBe(5_500);
    expect(retryDelayMs(1, 0.999_999)).toBe(6_000);
  });

  it('waits as long as the receiver asks, up to an hour', () => {
    expect(retryDelayMs(1, 0, 60_000)).toBe(60_000);
    expect(retryDelayMs(1, 0, 24 * HOUR_MS)).toBe(HOUR_MS);
  });

  it('is not hurried by the receiver', () => {
    expect(retryDelayMs(1, 0, 0)).toBe(5_000);
    expect(retryDelayMs(11, 0, 60_000)).toBe(24 * HOUR_MS);
  });

  it('tries no more after the last attempt, whatever the receiver asks', () => {
    expect(retryDelayMs(MAX_ATTEMPTS, 0, 60_000)).toBeNull();
  });
});

describe('retryAfterMs', () => {
  const now = new Date('2026-01-01T00:00:00Z');

  it.each<[string | undefined, number | null]>([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    [undefined, null],
    ['', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
  ])('reads %j as %j', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
