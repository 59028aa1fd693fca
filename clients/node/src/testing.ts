/** Helpers for a partner's own tests: `import { webhookHeaders } from '@rinpath/client/testing'`. */
import { createHmac } from 'node:crypto';
import { bytesOf, keyOf, signWebhook } from './webhooks.ts';

/** In the sandbox these applicants' PANs decide the outcome; any other PAN is accepted. */
export const SANDBOX_PANS = {
  allLendersDecline: 'SANDX0001A',
  lendersAreSlow: 'SANDX0002A',
  oneOffer: 'SANDX0003A',
  kycFailsOnce: 'SANDX0004A',
  kycIsRefused: 'SANDX0005A',
  mandateFailsOnce: 'SANDX0006A',
  eSignIsDeclined: 'SANDX0007A',
  payoutIsSlow: 'SANDX0008A',
  lendersFailTwice: 'SANDX0009A',
  paymentFails: 'SANDX0010A',
  smsGatewayIsDown: 'SANDX0011A',
  stepsAreSlow: 'SANDX0012A',
  declinedAfterPayment: 'SANDX0013A',
} as const;

/** In the sandbox these account numbers decide the check; any other is accepted. */
export const SANDBOX_ACCOUNTS = {
  accepted: '50100123456789',
  refusedOnce: '50100123450000',
  refusedForGood: '50100123459999',
} as const;

/** Input of `webhookHeaders`. */
export interface TestMessage {
  readonly body: Uint8Array | string;
  readonly secret: string;
  /** The secret before a rotation, while both are valid. */
  readonly previousSecret?: string;
  /** Default: the body's id. */
  readonly id?: string;
  readonly event?: string;
  /** Unix seconds; default: the machine's time. */
  readonly timestamp?: number;
  /** The subscription that receives it. */
  readonly subscriptionId?: string;
  /** From 1. */
  readonly attempt?: number;
  /** The name in the service's own headers. */
  readonly slug?: string;
}

/** Makes the headers of a delivery as the service does, for tests of a receiver. */
export function webhookHeaders(message: TestMessage): Record<string, string> {
  const bytes = bytesOf(message.body);
  const { id = idOf(bytes), slug = 'rinpath', attempt = 1, subscriptionId = 'sub_test' } = message;
  const timestamp = message.timestamp ?? Math.floor(Date.now() / 1_000);
  const secrets = [message.secret, message.previousSecret].filter((one) => one !== undefined);
  const signatures = secrets.map(
    (one) => `v1,${signWebhook(id, timestamp, bytes, keyOf(one)).toString('base64')}`,
  );
  return {
    'content-type': 'application/json',
    [`x-${slug}-signature`]: createHmac('sha256', message.secret).update(bytes).digest('hex'),
    [`x-${slug}-event`]: message.event ?? eventOf(bytes),
    [`x-${slug}-event-id`]: id,
    [`x-${slug}-attempt`]: String(attempt),
    [`x-${slug}-subscription-id`]: subscriptionId,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

function idOf(bytes: Uint8Array): string {
  return fieldOf(bytes, 'id') ?? 'evt_test';
}

function eventOf(bytes: Uint8Array): string {
  return fieldOf(bytes, 'event') ?? 'webhook.test';
}

function fieldOf(bytes: Uint8Array, name: string): string | undefined {
  try {
    const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>;
    const value = body[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
