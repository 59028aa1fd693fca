import { isCalendarDate, parseIsoInstant } from '../../platform/index.js';

const INDIA = '+05:30';
const FORMS = { dateOffset: INDIA, timeOffset: INDIA, basicOffset: true };
const DAY_MS = 86_400_000;

/**
 * Reads an ISO 8601 date or date-time of a query string. One without an offset is India's time. A date
 * alone stands for the whole day: its first millisecond as a start, its last as an end.
 * @returns null when the text is not a date, or a day or time that does not exist
 */
export function parseTimeEdge(text: string, edge: 'start' | 'end'): Date | null {
  const at = parseIsoInstant(asSent(text), FORMS);
  if (at && edge === 'end' && isCalendarDate(text)) return new Date(at.getTime() + DAY_MS - 1);
  return at;
}

/** An unescaped plus arrives as a space; what was meant is plain. ISO 8601 allows a comma in a fraction. */
function asSent(text: string): string {
  return text.replace(/ (?=\d{2}:?\d{2}$)/, '+').replace(',', '.');
}
