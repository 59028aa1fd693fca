import { exponentialBackoff } from '../platform/index.js';
import type { FailureStreak } from './payment-order.js';
import { isEnded } from './payment-status.js';
import type { PaymentOrder } from './store/payment-order.entity.js';

const HOUR_MS = 3_600_000;
const FIRST_ASK_MS = 120_000;
const ASKING = { firstMs: FIRST_ASK_MS, maxMs: HOUR_MS, jitter: 0.1 };
const FAILING = { firstMs: 1_000, maxMs: 300_000, jitter: 0.2 };
const FAILING_FOR_LONG = { firstMs: HOUR_MS, maxMs: HOUR_MS, jitter: 0.2 };
const CHECKS_AFTER_END_MS = [HOUR_MS, 6 * HOUR_MS];
// By then pending money has arrived or was returned.
const LAST_CHECK_AFTER_END_MS = 24 * HOUR_MS;
const LAST_CHECK_RETRIED_FOR_MS = 24 * HOUR_MS;

type Timed = Pick<PaymentOrder, 'status' | 'statusAt' | 'expiresAt'>;
type Asked = Timed & Pick<PaymentOrder, 'asks' | 'gateway'>;

/**
 * Two minutes to an hour, and exactly at expiry; after the end one hour, six hours and a day.
 * @param fraction of the jitter, 0 to 1
 * @returns milliseconds; null: never again
 */
export function waitAfterAnswer(order: Asked, now: Date, fraction: number): number | null {
  if (order.status === 'PAID' || order.gateway === null) return null;
  if (isEnded(order.status)) return waitAfterEnd(order, now, fraction);
  const backoff = exponentialBackoff(order.asks + 1, ASKING, fraction);
  return Math.max(0, Math.min(backoff, order.expiresAt.getTime() - now.getTime()));
}

/**
 * One second to five minutes; hourly after a long failure.
 * @returns as `waitAfterAnswer`
 */
export function waitAfterFailure(
  order: Timed,
  { failures, isLong }: Pick<FailureStreak, 'failures' | 'isLong'>,
  now: Date,
  fraction: number,
): number | null {
  if (isNoLongerChecked(order, now)) return null;
  return exponentialBackoff(failures, isLong ? FAILING_FOR_LONG : FAILING, fraction);
}

export function isNoLongerChecked(order: Timed, now: Date): boolean {
  if (order.status === 'PAID') return true;
  return isEnded(order.status) && now.getTime() >= lastCheckAt(order) + LAST_CHECK_RETRIED_FOR_MS;
}

function waitAfterEnd(order: Timed, now: Date, fraction: number): number | null {
  const checks = CHECKS_AFTER_END_MS.map((after) => order.statusAt.getTime() + after);
  const soonest = now.getTime() + FIRST_ASK_MS;
  const next = [...checks, lastCheckAt(order)].find((check) => check >= soonest);
  if (next === undefined) return null;
  return Math.round((next - now.getTime()) * (1 + ASKING.jitter * fraction));
}

function lastCheckAt({ expiresAt, statusAt }: Timed): number {
  return Math.max(expiresAt.getTime(), statusAt.getTime()) + LAST_CHECK_AFTER_END_MS;
}

const DAY_MS = 24 * HOUR_MS;
const ASKING_REFUND = { firstMs: 120_000, maxMs: 6 * HOUR_MS, jitter: 0.1 };
const FAILING_REFUND = { firstMs: 1_000, maxMs: HOUR_MS, jitter: 0.2 };
/** Time for a bank to reopen, or for the operator to add balance. */
const WAITS_BEFORE_ANOTHER_MS = [HOUR_MS, DAY_MS];
/** A bank takes five to seven working days. */
const LATE_AFTER_MS = 14 * DAY_MS;
const REFUSED_FOR_GOOD_MS = 7 * DAY_MS;

/**
 * Two minutes to six hours.
 * @param fraction of the jitter, 0 to 1
 * @returns milliseconds
 */
export function waitForEnd(asks: number, fraction: number): number {
  return exponentialBackoff(asks + 1, ASKING_REFUND, fraction);
}

/**
 * One second to an hour.
 * @returns milliseconds
 */
export function waitAfterFailedCall(failures: number, fraction: number): number {
  return exponentialBackoff(failures, FAILING_REFUND, fraction);
}

/** @returns milliseconds; null: no more attempts */
export function waitBeforeAttempt(madeSoFar: number): number | null {
  return WAITS_BEFORE_ANOTHER_MS[madeSoFar - 1] ?? null;
}

export function isLate(pendingSince: Date, now: Date): boolean {
  return now.getTime() - pendingSince.getTime() > LATE_AFTER_MS;
}

export function isRefusedForGood(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() > REFUSED_FOR_GOOD_MS;
}
