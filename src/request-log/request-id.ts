const OWN = /^req_[0-9a-f]{12}7[0-9a-f]{19}$/;
const PREFIX = 'req_';
const TIME_DIGITS = 12;

/** Whether a text has the form of an id that we give to requests: `req_` and a UUIDv7 in hex. */
export function isRequestId(text: string): boolean {
  return OWN.test(text);
}

/** When a request with this id arrived, in milliseconds since the Unix epoch (RFC 9562, section 5.7). */
export function timeOfRequestId(id: string): number {
  return Number.parseInt(id.slice(PREFIX.length, PREFIX.length + TIME_DIGITS), 16);
}

/** The UUID of an id of ours, without dashes. */
export function uuidOf(id: string): string {
  return id.slice(PREFIX.length);
}
