import { parseInstant } from './instant.js';

/** India has one time zone and no summer time. */
const IST_OFFSET_MS = (5 * 60 + 30) * 60 * 1000;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/**
 * The calendar date in India at an instant, such as '21 November 2026'.
 * @param instant ISO 8601 with an offset
 * @throws RangeError when it is not.
 */
export function dateInIndia(instant: string): string {
  const local = new Date(parseInstant(instant) + IST_OFFSET_MS);
  return `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()}`;
}

/**
 * The time of day in India at an instant, such as '6:30 pm IST'.
 * @param instant ISO 8601 with an offset
 * @throws RangeError when it is not.
 */
export function timeInIndia(instant: string): string {
  const local = new Date(parseInstant(instant) + IST_OFFSET_MS);
  const hours = local.getUTCHours();
  const minutes = String(local.getUTCMinutes()).padStart(2, '0');
  return `${hours % 12 === 0 ? 12 : hours % 12}:${minutes} ${hours < 12 ? 'am' : 'pm'} IST`;
}
