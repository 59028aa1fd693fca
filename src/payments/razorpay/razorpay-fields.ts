/** Untrusted fields from the wire. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
/** PostgreSQL's index entries end at 2,704 bytes; gateways write far less. */
const LONGEST_TEXT = 800;
/** PostgreSQL stores no NUL, and its JSON no lone surrogate. */
const UNKEEPABLE = /[\0\p{Cs}]/u;

/** Null unless it is a storable, non-empty text. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_TEXT) return null;
  return UNKEEPABLE.test(value) ? null : value;
}

/** From seconds since 1970, up to the year 9999; null for anything else. */
export function timeOf(value: unknown): Date | null {
  const seconds = integerOf(value);
  return seconds === null || seconds > LAST_SECOND ? null : new Date(seconds * 1000);
}

/** Accepts whole numbers as text too: Razorpay's amounts are both. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
