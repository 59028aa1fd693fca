import { createHmac, randomUUID } from 'node:crypto';

/** The signed parts of a request. */
export interface SignableRequest {
  readonly method: string;
  /** The path with its query, exactly as sent, without the host. */
  readonly target: string;
  /** The body's text, exactly as sent; empty without a body. */
  readonly rawBody: string;
}

/** The parts that make each request unique. */
export interface RequestStamp {
  /** Unix seconds; at most 300 seconds off the service's clock. */
  readonly timestamp: string;
  /** A UUID v4 that this key never used before, not even for a retry. */
  readonly nonce: string;
}

export interface KeyPair {
  readonly apiKey: string;
  /** The whole text with its prefix; it is never sent. */
  readonly apiSecret: string;
}

export function freshStamp(): RequestStamp {
  return { timestamp: String(Math.floor(Date.now() / 1_000)), nonce: randomUUID() };
}

/** Hex HMAC-SHA256 over method, target, timestamp, nonce and body, joined by line feeds. */
export function signRequest(
  request: SignableRequest,
  stamp: RequestStamp,
  apiSecret: string,
): string {
  const { method, target, rawBody } = request;
  const signed = [method.toUpperCase(), target, stamp.timestamp, stamp.nonce, rawBody].join('\n');
  return createHmac('sha256', apiSecret).update(signed).digest('hex');
}

/** The headers that identify the key and authenticate the request. */
export function signedHeaders(
  request: SignableRequest,
  key: KeyPair,
  stamp: RequestStamp = freshStamp(),
): Record<string, string> {
  return {
    'x-api-key': key.apiKey,
    'x-timestamp': stamp.timestamp,
    'x-nonce': stamp.nonce,
    'x-signature': signRequest(request, stamp, key.apiSecret),
  };
}
