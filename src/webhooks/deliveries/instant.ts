const FORM = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;

export const INSTANT_PROBLEM = 'must be an ISO 8601 date-time with its offset';

/** Reads an ISO 8601 date-time with its offset; null when it is none, or a day that does not exist. */
export function readInstant(value: unknown): Date | null {
  const match = typeof value === 'string' ? FORM.exec(value.trim()) : null;
  if (!match) return null;
  const [text, year, month, day] = match;
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // JavaScript reads the thirtieth of February as a day in March.
  if (midnight.getUTCDate() !== Number(day)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}
