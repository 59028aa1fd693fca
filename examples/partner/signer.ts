import { createHmac, randomUUID } from 'node:crypto';

export interface SignableRequest {
  method: string;
  /** The request target exactly as sent: path with its query string, without the host. */
  target: string;
  /** The exact bytes of the body as text; empty when there is none. */
  rawBody: string;
}

export interface RequestStamp {
  /** Unix epoch seconds. */
  timestamp: string;
  /** A UUID v4 that is never used again, not even for a retry of the same request. */
  nonce: string;
}

export type KeyIdentification = 'x-api-key' | 'bearer';

export function freshStamp(): RequestStamp {
  return { timestamp: String(Math.floor(Date.now() / 1000)), nonce: randomUUID() };
}

/** Lower-case hex HMAC-SHA256 over the five parts, joined by newlines. */
export function signRequest(
  request: SignableRequest,
  stamp: RequestStamp,
  apiSecret: string,
): string {
  const message = [
    request.method.toUpperCase(),
    request.target,
    stamp.timestamp,
    stamp.nonce,
    request.rawBody,
  ].join('\n');
  return createHmac('sha256', Buffer.from(apiSecret, 'utf8')).update(message, 'utf8').digest('hex');
}

/** The headers that identify the key and prove the request; the secret itself is never sent. */
export function authenticationHeaders(
  identification: KeyIdentification,
  apiKey: string,
  stamp: RequestStamp,
  signature: string,
): Record<string, string> {
  const identity: Record<string, string> =
    identification === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
  return {
    ...identity,
    'x-timestamp': stamp.timestamp,
    'x-nonce': stamp.nonce,
    'x-signature': signature,
  };
}
