import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addMonths, dayInIndia, daysFrom } from './indian-day.js';

const someDay = fc
  .integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2100, 0, 1) })
  .map((time) => dayInIndia(new Date(time)));

describe('the calendar in India', () => {
  it('begins a day at half past six in the evening of UTC', () => {
    expect(dayInIndia(new Date('2026-11-21T18:29:59Z'))).toBe('2026-11-21');
    expect(dayInIndia(new Date('2026-11-21T18:30:00Z'))).toBe('2026-11-22');
  });

  it('counts days forth and back alike', () => {
    fc.assert(
      fc.property(someDay, fc.integer({ min: -2_000, max: 2_000 }), (day, days) => {
        expect(daysFrom(day, addDays(day, days))).toBe(days);
      }),
    );
  });

  it.each([
    ['2026-11-21', 1, '2026-12-21'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2027-12-31', 2, '2028-02-29'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2026-08-15', 36, '2029-08-15'],
  ])('has the day of %s, %i months on, at %s', (day, months, due) => {
    expect(addMonths(day, months)).toBe(due);
  });
});
