import type { ErrorCode } from '../errors/error-catalogue.js';
import type { Fault } from '../errors/fault.js';

/** The lender protocol's code of a failure, where it is another word than ours. */
const CODES: Partial<Record<ErrorCode, string>> = {
  invalid_signature: 'signature_refused',
  malformed_request: 'invalid_request',
  malformed_json: 'invalid_request',
  validation_failed: 'invalid_request',
  route_not_found: 'not_found',
  rate_limited: 'too_many_requests',
  service_unavailable: 'unavailable',
};

/** Of the same meaning, by status; what the protocol does not know is its sender's mistake. */
const CODES_OF_PROTOCOL: ReadonlySet<string> = new Set(['body_too_large', 'internal_error']);

/** A failure before a lender's message was looked at, in the form of the lender protocol. */
export function lenderError({ code, message, status }: Fault) {
  const known = CODES[code] ?? (CODES_OF_PROTOCOL.has(code) ? code : undefined);
  const text = code === 'body_too_large' ? 'The body is larger than 256 KB' : message;
  return {
    error: { code: known ?? (status < 500 ? 'invalid_request' : 'internal_error'), message: text },
  };
}
