import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workingDaysBetween } from './working-days.js';

/** A time in India: 2026-06-01 is a Monday. */
function india(date: string, time = '12:00'): Date {
  return new Date(`${date}T${time}:00+05:30`);
}

const DAY_MS = 86_400_000;

describe('working days', () => {
  it.each([
    ['Monday to Thursday', '2026-06-01', '2026-06-04', 3],
    ['Monday to Monday', '2026-06-01', '2026-06-08', 5],
    ['Thursday to Tuesday, over a weekend', '2026-06-04', '2026-06-09', 3],
    ['Friday to Sunday', '2026-06-05', '2026-06-07', 0],
    ['Saturday to Monday', '2026-06-06', '2026-06-08', 1],
    ['Wednesday to Monday', '2026-06-03', '2026-06-08', 3],
    ['one day to itself', '2026-06-03', '2026-06-03', 0],
    ['a day to the one before', '2026-06-03', '2026-06-02', 0],
  ])('from %s', (_, from, until, days) => {
    expect(workingDaysBetween(india(from), india(until))).toBe(days);
  });

  it('are days in India, where the day begins at half past six in the evening of UTC', () => {
    const monday = new Date('2026-06-01T18:29:59Z');
    const tuesday = new Date('2026-06-01T18:30:00Z');
    const thursday = india('2026-06-04', '23:59');
    expect(workingDaysBetween(monday, thursday)).toBe(3);
    expect(workingDaysBetween(tuesday, thursday)).toBe(2);
  });

  it('are at least three in any five calendar days, on which the configuration relies', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000 * DAY_MS }), (offset) => {
        const from = new Date(india('2026-01-01').getTime() + offset);
        const until = new Date(from.getTime() + 5 * DAY_MS);
        expect(workingDaysBetween(from, until)).toBeGreaterThanOrEqual(3);
      }),
    );
  });

  it('are not a number when there is no date to count to, which no limit is passed with', () => {
    const days = workingDaysBetween(india('2026-06-01'), new Date('soon'));
    expect(days).toBeNaN();
    expect(days >= 3).toBe(false);
  });

  it('are counted at once for an offer that never runs out', () => {
    const started = performance.now();
    const days = workingDaysBetween(india('2026-06-01'), new Date(8.64e15));
    expect(days).toBeGreaterThan(3);
    expect(performance.now() - started).toBeLessThan(100);
  });
});
