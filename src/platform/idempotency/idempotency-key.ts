import { Fault } from '../errors/fault.js';
import { fromRequest } from '../http/from-request.js';
import { parseJsonBody } from '../http/json-body.js';
import type { RawRequest } from '../http/partner-routes.js';
import { canonicalJson } from '../validation/canonical-json.js';

const MAX_CHARACTERS = 255;
const QUOTED = /^"(.*)"$/;
const PRINTABLE = /^[\x20-\x7e]+$/;

export interface IdempotencyKey {
  readonly key: string;
  /** Canonical JSON; hexadecimal when the body is no JSON object. */
  readonly content: string;
}

/**
 * Accepts quoted (RFC 8941) and bare keys.
 * @throws Fault malformed_request
 */
export function readIdempotencyKey(
  headers: readonly string[] | undefined,
  body: Buffer,
): IdempotencyKey | null {
  if (headers === undefined) return null;
  const [header, ...more] = headers;
  if (more.length > 0) throw malformed('was sent more than once');
  const key = QUOTED.exec(header)?.[1] ?? header;
  if (key.length > MAX_CHARACTERS || !PRINTABLE.test(key)) {
    throw malformed(`must be 1 to ${MAX_CHARACTERS} printable characters`);
  }
  return { key, content: contentOf(body) };
}

function contentOf(body: Buffer): string {
  try {
    return canonicalJson(parseJsonBody(body));
  } catch {
    return body.toString('hex');
  }
}

function malformed(problem: string): Fault {
  return new Fault('malformed_request', { message: `The Idempotency-Key header ${problem}` });
}

export const CurrentIdempotencyKey = fromRequest(({ headersDistinct, rawBody }: RawRequest) =>
  readIdempotencyKey(headersDistinct['idempotency-key'], rawBody),
);
