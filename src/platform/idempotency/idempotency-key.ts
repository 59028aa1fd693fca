import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { sha256 } from '../crypto/sha256.js';
import { Fault } from '../errors/fault.js';
import type { RawRequest } from '../http/raw-request.js';

const MAX_CHARACTERS = 255;
const QUOTED = /^"(.*)"$/;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** What tells a retry from a new request. */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of the body's exact bytes. */
  readonly bodyHash: string;
}

/**
 * Reads the optional header, quoted (as RFC 8941 has strings) or bare.
 * @throws Fault malformed_request when it is empty, too long or not printable ASCII
 */
export function readIdempotencyKey(
  header: string | undefined,
  body: Buffer,
): IdempotencyKey | null {
  if (header === undefined) return null;
  const key = QUOTED.exec(header)?.[1] ?? header;
  if (key.length > MAX_CHARACTERS || !PRINTABLE.test(key)) {
    throw new Fault('malformed_request', {
      message: `The Idempotency-Key header must be 1 to ${MAX_CHARACTERS} printable characters`,
    });
  }
  return { key, bodyHash: sha256(body) };
}

/** The request's Idempotency-Key, or null. */
export const CurrentIdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotencyKey | null => {
    const request = context.switchToHttp().getRequest<RawRequest>();
    const header = request.headers['idempotency-key'];
    return readIdempotencyKey(Array.isArray(header) ? header[0] : header, request.rawBody);
  },
);
