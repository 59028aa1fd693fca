import { createHmac } from 'node:crypto';
import { equalBytes } from '../platform/index.js';

/** On either side of the server's time. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

export interface SignedRequest {
  readonly method: string;
  /** The path with its query as sent, no host. */
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Buffer;
}

/** METHOD, TARGET, TIMESTAMP and NONCE, each followed by a line feed. */
export function canonicalHead(request: Omit<SignedRequest, 'body'>): string {
  const { method, target, timestamp, nonce } = request;
  return `${method.toUpperCase()}\n${target}\n${timestamp}\n${nonce}\n`;
}

/** HMAC-SHA256 (RFC 2104) over the canonical string. */
export function signRequest(secret: string, request: SignedRequest): Buffer {
  return createHmac('sha256', secret).update(canonicalHead(request)).update(request.body).digest();
}

/**
 * Constant time. On GET a signature over the path without its query is accepted too, since the
 * contract says "path".
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
