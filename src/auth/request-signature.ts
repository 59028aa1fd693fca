import { createHmac } from 'node:crypto';
import { equalBytes } from '../platform/index.js';

/** How far a timestamp may lie from the server's time, on either side. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

/** What a signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** The request target as sent: the path with its query, no host. */
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Buffer;
}

/** The string before the body: METHOD, TARGET, TIMESTAMP and NONCE, each ended by a line feed. */
export function canonicalHead(request: Omit<SignedRequest, 'body'>): string {
  const { method, target, timestamp, nonce } = request;
  return `${method.toUpperCase()}\n${target}\n${timestamp}\n${nonce}\n`;
}

/** HMAC-SHA256 (RFC 2104) over the canonical string, keyed with the secret's UTF-8 bytes. */
export function signRequest(secret: string, request: SignedRequest): Buffer {
  return createHmac('sha256', secret).update(canonicalHead(request)).update(request.body).digest();
}

/**
 * Whether the signature is the request's. On GET one over the path without the query is taken too,
 * since the contract says "path". Compared in constant time.
 */
export function isSignatureRight(
  secret: string,
  request: SignedRequest,
  signature: Buffer,
): boolean {
  if (equalBytes(signRequest(secret, request), signature)) return true;
  const query = request.target.indexOf('?');
  if (request.method.toUpperCase() !== 'GET' || query < 0) return false;
  const pathOnly = { ...request, target: request.target.slice(0, query) };
  return equalBytes(signRequest(secret, pathOnly), signature);
}
