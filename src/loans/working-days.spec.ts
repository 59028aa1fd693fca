import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysOfLeastWorkingDays, workingDaysBetween } from './working-days.js';

/** A time in India: 2026-06-01 is a Monday. */
function india(date: string, time = '12:00'): Date {
  return new Date(`${date}T${time}:00+05:30`);
}

const DAY_MS = 86_400_000;

function dayAt(offset: number): string {
  return new Date(Date.UTC(2026, 5, 1) + offset * DAY_MS).toISOString().slice(0, 10);
}

describe('working days', () => {
  it.each([
    ['Monday to Thursday', '2026-06-01', '2026-06-04', 3],

    ['Thursday to Tuesday, over a weekend', '2026-06-04', '2026-06-09', 3],
    ['Friday to Sunday', '2026-06-05', '2026-06-07', 0],

    ['one day to itself', '2026-06-03', '2026-06-03', 0],
    ['a day to the one before', '2026-06-03', '2026-06-02', 0],
  ])('from %s', (_, from, until, days) => {
    expect(workingDaysBetween(india(from), india(until))).toBe(days);
  });

  it.each([
    ['Monday to Thursday, Tuesday a holiday', '2026-06-01', '2026-06-04', ['2026-06-02'], 2],
    ['Monday to Thursday, that Monday a holiday', '2026-06-01', '2026-06-04', ['2026-06-01'], 3],
    ['Friday to Thursday, Saturday a holiday', '2026-06-05', '2026-06-11', ['2026-06-06'], 4],

    ['Friday to Monday, Monday a holiday', '2026-06-05', '2026-06-08', ['2026-06-08'], 0],
  ])('leave bank holidays out: from %s', (_, from, until, holidays, days) => {
    expect(workingDaysBetween(india(from), india(until), new Set(holidays))).toBe(days);
  });

  it('leave a bank holiday out from its first moment in India to its last', () => {
    const holiday = new Set(['2026-06-02']);
    const [first, last] = ['2026-06-01T18:30:00Z', '2026-06-02T18:29:59Z'];
    const wednesday = india('2026-06-03');
    expect(workingDaysBetween(india('2026-06-01'), new Date(first), holiday)).toBe(0);
    expect(workingDaysBetween(india('2026-06-01'), new Date(last), holiday)).toBe(0);
    expect(workingDaysBetween(new Date(last), wednesday, holiday)).toBe(1);
  });

  it('three of them are over after the given number of calendar days', () => {
    const day = fc.integer({ min: 0, max: 60 }).map((offset) => dayAt(offset));
    fc.assert(
      fc.property(day, fc.uniqueArray(day, { maxLength: 20 }), (from, holidays) => {
        const closed = new Set(holidays);
        const days = daysOfLeastWorkingDays(from, closed);
        const until = (count: number) => new Date(india(from).getTime() + count * DAY_MS);
        expect(workingDaysBetween(india(from), until(days), closed)).toBe(3);
        expect(workingDaysBetween(india(from), until(days - 1), closed)).toBe(2);
      }),
    );
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
});
