import { createHmac } from 'node:crypto';
import { equalBytes } from '../platform/index.js';

/** Ahead of or behind the server's time. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

export interface SignedRequest {
  readonly method: string;
  /** The path and query as sent, without the host. */
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Buffer;
}

export function canonicalHead(request: Omit<SignedRequest, 'body'>): string {
  const { method, target, timestamp, nonce } = request;
  return `${method.toUpperCase()}\n${target}\n${timestamp}\n${nonce}\n`;
}

/** HMAC-SHA256 (RFC 2104). */
export function signRequest(secret: string, request: SignedRequest): Buffer {
  return createHmac('sha256', secret).update(canonicalHead(request)).update(request.body).digest();
}

/** Constant time. On GET also accepts a signature without the query, since the contract says "path". */
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
