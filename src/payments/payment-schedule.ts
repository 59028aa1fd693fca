import { exponentialBackoff } from '../platform/index.js';
import type { PaymentOrder } from './payment-order.js';
import { isEnded } from './payment-status.js';

const HOUR_MS = 3_600_000;
const FIRST_ASK_MS = 120_000;
const ASKING = { firstMs: FIRST_ASK_MS, mostMs: HOUR_MS, jitter: 0.1 };
// Money that was on its way when a page was closed has arrived by then, or has gone back.
const WATCHED_AFTER_END_MS = 24 * HOUR_MS;

type Asked = Pick<PaymentOrder, 'status' | 'statusAt' | 'expiresAt' | 'asks' | 'gateway'>;

/**
 * How long after an answer to ask again, should no callback come: from two minutes up to an hour, at
 * its expiry without fail, and hourly until a day after its end.
 * @param fraction of the jitter, 0 to 1
 * @returns milliseconds; null: never again
 */
export function waitAfterAnswer(order: Asked, now: Date, fraction: number): number | null {
  if (order.status === 'PAID' || order.gateway === null) return null;
  const backoff = exponentialBackoff(order.asks + 1, ASKING, fraction);
  if (!isEnded(order.status)) {
    return Math.max(0, Math.min(backoff, order.expiresAt.getTime() - now.getTime()));
  }
  const endedAt = Math.max(order.expiresAt.getTime(), order.statusAt.getTime());
  return now.getTime() < endedAt + WATCHED_AFTER_END_MS ? Math.max(backoff, HOUR_MS) : null;
}
