const OWN = /^req_[0-9a-f]{12}7[0-9a-f]{19}$/;
const PREFIX = 'req_';
const TIME_DIGITS = 12;

/** `req_` and a UUIDv7 in hex. */
export function isRequestId(text: string): boolean {
  return OWN.test(text);
}

/** Unix time in milliseconds (RFC 9562, section 5.7). */
export function timeOfRequestId(id: string): number {
  return Number.parseInt(id.slice(PREFIX.length, PREFIX.length + TIME_DIGITS), 16);
}

/** Without dashes. */
export function uuidOf(id: string): string {
  return id.slice(PREFIX.length);
}
