/** Only an offset makes the text one instant; without it, it would depend on the server's time zone. */
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads an ISO 8601 date and time that carries its offset, such as '2026-11-21T10:00:00Z'.
 * @returns milliseconds since the epoch
 * @throws RangeError for anything else.
 */
export function parseInstant(text: string): number {
  const milliseconds = ISO_INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    throw new RangeError(`Not an ISO 8601 date and time with an offset: '${text}'`);
  }
  return milliseconds;
}
