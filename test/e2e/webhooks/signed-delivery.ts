import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import type { Delivery } from '../../support/webhook-receiver.js';

export const SLUG = 'rinpath';

export function expectSigned(delivery: Delivery, secret: string): void {
  const expected = createHmac('sha256', secret).update(delivery.body).digest('hex');
  expect(delivery.headers[`x-${SLUG}-signature`]).toBe(expected);
}

export function verifyStandard(delivery: Delivery, secret: string): unknown {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Number(delivery.headers['webhook-timestamp']) * 1_000);
  try {
    return new Webhook(secret).verify(
      delivery.body.toString('utf8'),
      delivery.headers as Record<string, string>,
    );
  } finally {
    vi.useRealTimers();
  }
}
