import { bodySignature, standardSignature } from '../signatures.js';

interface HeaderParts {
  /** The brand's slug, which names the headers. */
  readonly slug: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly body: string;
  /** From 1. */
  readonly attempt: number;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly secret: string;
  /** The secret before a rotation, while both are good. */
  readonly previousSecret: string | null;
}

/**
 * The headers of one attempt: the contract's own set, whose signature uses the secret in force, and
 * beside it the Standard Webhooks set, which is signed with both secrets while a rotation overlaps.
 */
export function deliveryHeaders(parts: HeaderParts): Record<string, string> {
  const { slug, eventId, eventName, body, attempt, timestamp, secret, previousSecret } = parts;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    'content-type': 'application/json',
    'user-agent': `${slug}-webhooks/1`,
    [`x-${slug}-signature`]: bodySignature(secret, body),
    [`x-${slug}-event`]: eventName,
    [`x-${slug}-event-id`]: eventId,
    [`x-${slug}-attempt`]: String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignature(secrets, { id: eventId, timestamp, body }),
  };
}
