import type { IndianDay } from './indian-day.js';

const DAY_MS = 86_400_000;
const INDIA_OFFSET_MS = 5.5 * 3_600_000;
const SATURDAY = 6;
const SUNDAY = 0;
const NO_HOLIDAYS: ReadonlySet<IndianDay> = new Set();

/** RBI/2024-25/18. */
export const MIN_WORKING_DAYS = 3;

/** After `from`, up to and including `until`. NaN when `until` is not a date. */
export function workingDaysBetween(
  from: Date,
  until: Date,
  bankHolidays: ReadonlySet<IndianDay> = NO_HOLIDAYS,
): number {
  const last = numberOf(until.getTime() + INDIA_OFFSET_MS);
  if (Number.isNaN(last)) return Number.NaN;
  let days = 0;
  for (let day = numberOf(from.getTime() + INDIA_OFFSET_MS) + 1; day <= last; day += 1) {
    if (isWorkingDay(day, bankHolidays)) days += 1;
    // No caller needs more.
    if (days > 30) break;
  }
  return days;
}

export function daysOfLeastWorkingDays(
  from: IndianDay,
  bankHolidays: ReadonlySet<IndianDay>,
): number {
  const first = numberOf(Date.parse(from));
  let worked = 0;
  let days = 0;
  while (worked < MIN_WORKING_DAYS) {
    days += 1;
    if (isWorkingDay(first + days, bankHolidays)) worked += 1;
  }
  return days;
}

function isWorkingDay(day: number, bankHolidays: ReadonlySet<IndianDay>): boolean {
  const midnight = new Date(day * DAY_MS);
  const weekday = midnight.getUTCDay();
  if (weekday === SATURDAY || weekday === SUNDAY) return false;
  return bankHolidays.size === 0 || !bankHolidays.has(midnight.toISOString().slice(0, 10));
}

function numberOf(time: number): number {
  return Math.floor(time / DAY_MS);
}
