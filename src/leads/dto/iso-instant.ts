const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+ -]\d{2}:?\d{2})?)?$/i;
const INDIA = '+05:30';
const DAY_MS = 86_400_000;

/**
 * Reads an ISO 8601 date or date-time. One without an offset is India's time. A date alone stands
 * for the whole day: its first millisecond as a start, its last as an end.
 * @returns null when the text is no date, or a day or time that does not exist
 */
export function parseIsoInstant(text: string, edge: 'start' | 'end'): Date | null {
  const match = FORM.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset] = match;
  const time = `${hour ?? '00'}:${minute ?? '00'}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  const at = new Date(`${year}-${month}-${day}T${time}${offsetOf(offset)}`);
  if (Number.isNaN(at.getTime()) || !isRealDay(Number(year), Number(month), Number(day))) {
    return null;
  }
  const isWholeDay = hour === undefined;
  return isWholeDay && edge === 'end' ? new Date(at.getTime() + DAY_MS - 1) : at;
}

/** In a query string an unescaped plus arrives as a space; what was meant is plain. */
function offsetOf(text: string | undefined): string {
  if (text === undefined) return INDIA;
  if (text.toUpperCase() === 'Z') return 'Z';
  const digits = text.slice(1).replace(':', '');
  const sign = text.startsWith('-') ? '-' : '+';
  return `${sign}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** JavaScript reads the thirtieth of February as a day in March. */
function isRealDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000, month - 1, day));
  // A year below 100 would be read as one of the twentieth century.
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
