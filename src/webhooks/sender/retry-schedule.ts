const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after the first, the second, … failed attempt, in milliseconds, before jitter. */
const WAITS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

/** The first attempt and a retry after each wait: a little more than two days. */
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = 1 * HOUR;
const DELTA_SECONDS = /^\d{1,10}$/;

/**
 * How long to wait after a failed attempt, in milliseconds.
 * @param attempt the number of the attempt that failed, from 1
 * @param fraction where in the jitter (up to a fifth of the wait) this one lies, 0 to 1
 * @param askedForMs what the receiver asked for: never less is waited, but of its wish no more
 *   than an hour counts
 * @returns null when that was the last attempt
 */
export function retryDelayMs(
  attempt: number,
  fraction: number,
  askedForMs: number | null = null,
): number | null {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return null;
  const scheduled = Math.round(wait * (1 + JITTER * fraction));
  return Math.max(scheduled, Math.min(askedForMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3), a number of seconds or a date, as milliseconds
 * from now. Null when it is absent or makes no sense.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (DELTA_SECONDS.test(text)) return Number(text) * SECOND;
  // Dates have letters; `Date.parse` would read a year into any odd number.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
