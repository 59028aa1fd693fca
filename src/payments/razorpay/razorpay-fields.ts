/** An answer or a callback as it came over the wire: nothing about it is taken for granted. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
/** Longer ones may not go into PostgreSQL's indexes (2,704 bytes); what gateways write is far shorter. */
const LONGEST_TEXT = 800;
/** PostgreSQL keeps no NUL, and in JSON no half of a surrogate pair. */
const UNKEEPABLE = /[\0\p{Cs}]/u;

/** A text that is not empty and that can be kept; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_TEXT) return null;
  return UNKEEPABLE.test(value) ? null : value;
}

/** Seconds since 1970 as a time, up to the year 9999; null for anything else. */
export function timeOf(value: unknown): Date | null {
  const seconds = integerOf(value);
  return seconds === null || seconds > LAST_SECOND ? null : new Date(seconds * 1000);
}

/** A whole number, also one that came as a text (Razorpay's amounts are both); null otherwise. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
