import { isCalendarDate, parseIsoInstant } from '../../platform/index.js';

const INDIA = '+05:30';
const FORMS = { dateOffset: INDIA, timeOffset: INDIA, basicOffset: true };
const DAY_MS = 86_400_000;

/**
 * Parses an ISO 8601 date or date-time, in India's time without an offset. A date is the whole day, to its
 * last millisecond.
 * @returns null when it is invalid or does not exist
 */
export function parseTimeEdge(text: string, edge: 'start' | 'end'): Date | null {
  const at = parseIsoInstant(asSent(text), FORMS);
  if (at && edge === 'end' && isCalendarDate(text)) return new Date(at.getTime() + DAY_MS - 1);
  return at;
}

/** An unescaped plus arrives as a space; ISO 8601 allows a decimal comma. */
function asSent(text: string): string {
  return text.replace(/ (?=\d{2}:?\d{2}$)/, '+').replace(',', '.');
}
