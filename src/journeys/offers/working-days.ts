const DAY_MS = 86_400_000;
const INDIA_OFFSET_MS = 5.5 * 3_600_000;
const SATURDAY = 6;
const SUNDAY = 0;

/**
 * How many whole working days (Monday to Friday, in India) lie after the day of `from` up to and
 * with the day of `until`. NaN when `until` is no date.
 */
export function workingDaysBetween(from: Date, until: Date): number {
  const last = indianDay(until);
  if (Number.isNaN(last)) return Number.NaN;
  let days = 0;
  for (let day = indianDay(from) + 1; day <= last; day += 1) {
    const weekday = new Date(day * DAY_MS).getUTCDay();
    if (weekday !== SATURDAY && weekday !== SUNDAY) days += 1;
    // More than anyone asks for: an offer valid for years need not be counted out.
    if (days > 30) break;
  }
  return days;
}

function indianDay(time: Date): number {
  return Math.floor((time.getTime() + INDIA_OFFSET_MS) / DAY_MS);
}
