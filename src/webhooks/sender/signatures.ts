import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A signing secret made of 32 random bytes: `whsec_<base64>`, the form of Standard Webhooks. */
export function webhookSecret(bytes: Buffer): string {
  if (bytes.length !== SECRET_BYTES) throw new Error('a webhook secret is made of 32 bytes');
  return SECRET_PREFIX + bytes.toString('base64');
}

/**
 * The contract's signature: HMAC-SHA256 over the raw body, in lower-case hex. Its key is the UTF-8
 * bytes of the whole secret, prefix included, so that a receiver need not decode anything.
 */
export function bodySignature(secret: string, body: string): string {
  // A key that is text is taken as UTF-8, and sooner than the same bytes in a buffer.
  return createHmac('sha256', secret).update(body, 'utf8').digest('hex');
}

interface SignedMessage {
  /** The event's id: the same on every attempt. */
  readonly id: string;
  /** Unix time of this attempt in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The value of `webhook-signature` (Standard Webhooks, specification 1.0): for each secret the
 * base64 HMAC-SHA256 over `<id>.<timestamp>.<body>`, keyed with the decoded secret, parted by
 * blanks. A receiver takes any one that it can verify, which is how a rotation overlaps.
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

/** By secret. Making a key takes several times as long as signing with it, so those of late are kept. */
const decodedKeys = new LRUCache<string, KeyObject>({
  max: 10_000,
  memoMethod: (secret) =>
    createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
});

interface HeaderParts {
  /** The brand's slug, which names the headers. */
  readonly slug: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly body: string;
  /** From 1. */
  readonly attempt: number;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly secret: string;
  /** Those before rotations, while they are good. */
  readonly previousSecrets: readonly string[];
}

/**
 * The headers of one attempt: the contract's own set, whose signature uses the secret in force, and
 * beside it the Standard Webhooks set, which is signed with every secret while rotations overlap.
 */
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
