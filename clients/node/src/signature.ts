import { createHmac, randomUUID } from 'node:crypto';

/** What is signed of a request. */
export interface SignableRequest {
  readonly method: string;
  /** The path with its query, exactly as sent, without the host. */
  readonly target: string;
  /** The text of the body, exactly as sent; empty when there is none. */
  readonly rawBody: string;
}

/** What makes each request of a key unlike every other. */
export interface RequestStamp {
  /** Unix seconds; the service takes at most 300 seconds of difference. */
  readonly timestamp: string;
  /** A UUID v4 that this key never uses again, not even for a retry. */
  readonly nonce: string;
}

export interface KeyPair {
  readonly apiKey: string;
  /** The whole text, prefix included; it is never sent. */
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

/** The headers that name the key and prove the request. */
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
