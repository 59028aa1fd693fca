/** No summer time. */
const IST_OFFSET_MS = (5 * 60 + 30) * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** `YYYY-MM-DD`: days compare as text. */
export type IndianDay = string;

export function dayInIndia(instant: Date): IndianDay {
  return new Date(instant.getTime() + IST_OFFSET_MS).toISOString().slice(0, 10);
}

export function instantInIndia(day: IndianDay, hour: number): Date {
  return new Date(midnight(day) + hour * HOUR_MS - IST_OFFSET_MS);
}

/** Negative when `to` is earlier. */
export function daysFrom(from: IndianDay, to: IndianDay): number {
  return Math.round((midnight(to) - midnight(from)) / DAY_MS);
}

export function addDays(day: IndianDay, days: number): IndianDay {
  return new Date(midnight(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Uses the last day of a shorter month. */
export function addMonths(day: IndianDay, months: number): IndianDay {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const due = new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastOfMonth)));
  return due.toISOString().slice(0, 10);
}

function midnight(day: IndianDay): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Month from 1, hour from 0. */
interface MomentInIndia {
  readonly day: number;
  readonly month: number;
  readonly year: number;
  readonly hour: number;
  readonly minute: number;
}

export function momentInIndia(instant: Date): MomentInIndia {
  const local = new Date(instant.getTime() + IST_OFFSET_MS);
  return {
    day: local.getUTCDate(),
    month: local.getUTCMonth() + 1,
    year: local.getUTCFullYear(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}
