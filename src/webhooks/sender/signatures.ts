import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Standard Webhooks format: `whsec_<base64>` of 32 bytes. */
export function webhookSecret(bytes: Buffer): string {
  if (bytes.length !== SECRET_BYTES) throw new Error('a webhook secret needs 32 bytes');
  return SECRET_PREFIX + bytes.toString('base64');
}

/**
 * The contract's signature. The key is the whole secret as UTF-8, prefix included, so that
 * receivers need not decode it.
 */
export function bodySignature(secret: string, body: string): string {
  // Node treats a string key as UTF-8, and faster than a buffer.
  return createHmac('sha256', secret).update(body, 'utf8').digest('hex');
}

interface SignedMessage {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * `webhook-signature` of Standard Webhooks 1.0, keyed with the decoded secrets. A receiver accepts
 * any signature it can verify, so rotations may overlap.
 */
export function standardSignature(secrets: readonly string[], message: SignedMessage): string {
  const content = `${message.id}.${message.timestamp}.${message.body}`;
  return secrets
    .map((secret) => {
      const signature = createHmac('sha256', decodedKeys.memo(secret)).update(content, 'utf8');
      return `v1,${signature.digest('base64')}`;
    })
    .join(' ');
}

/** Creating a key takes several times as long as signing. */
const decodedKeys = new LRUCache<string, KeyObject>({
  max: 10_000,
  memoMethod: (secret) =>
    createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
});

interface HeaderParts {
  readonly slug: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly body: string;
  /** From 1. */
  readonly attempt: number;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly secret: string;
  /** Replaced secrets that are still valid. */
  readonly previousSecrets: readonly string[];
}

/** The contract's header uses the current secret, Standard Webhooks every valid one. */
export function deliveryHeaders(parts: HeaderParts): Record<string, string> {
  const { slug, eventId, body, timestamp, secret } = parts;
  const secrets = [secret, ...parts.previousSecrets];
  return {
    'content-type': 'application/json',
    'user-agent': `${slug}-webhooks/1`,
    [`x-${slug}-signature`]: bodySignature(secret, body),
    [`x-${slug}-event`]: parts.eventName,
    [`x-${slug}-event-id`]: eventId,
    [`x-${slug}-attempt`]: String(parts.attempt),
    [`x-${slug}-subscription-id`]: parts.subscriptionId,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignature(secrets, { id: eventId, timestamp, body }),
  };
}
