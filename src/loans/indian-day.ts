/** India has one time zone and no summer time. */
const IST_OFFSET_MS = (5 * 60 + 30) * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** A day in India, as `YYYY-MM-DD`; such days compare as they follow each other. */
export type IndianDay = string;

/** The day that it is in India at an instant. */
export function dayInIndia(instant: Date): IndianDay {
  return new Date(instant.getTime() + IST_OFFSET_MS).toISOString().slice(0, 10);
}

/** The instant at which it is so many o'clock in India on a day. */
export function instantInIndia(day: IndianDay, hour: number): Date {
  return new Date(midnight(day) + hour * HOUR_MS - IST_OFFSET_MS);
}

/** How many days lie from one day to another; negative when the other is the earlier one. */
export function daysFrom(from: IndianDay, to: IndianDay): number {
  return Math.round((midnight(to) - midnight(from)) / DAY_MS);
}

/** The day so many days later. */
export function addDays(day: IndianDay, days: number): IndianDay {
  return new Date(midnight(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day of the month so many months later, or the last of a month that is too short. */
export function addMonths(day: IndianDay, months: number): IndianDay {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const due = new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastOfMonth)));
  return due.toISOString().slice(0, 10);
}

function midnight(day: IndianDay): number {
  return Date.parse(`${day}T00:00:00Z`);
}
