import { exponentialBackoff } from '../../platform/index.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ASKING = { firstMs: 120_000, maxMs: 6 * HOUR_MS, jitter: 0.1 };
const FAILING = { firstMs: 1_000, maxMs: HOUR_MS, jitter: 0.2 };
/** A bank that was closed may be open; an account that had too little may have enough. */
const WAITS_BEFORE_ANOTHER_MS = [HOUR_MS, DAY_MS];
/** A bank takes five to seven working days. */
const LATE_AFTER_MS = 14 * DAY_MS;
/** What the gateway turns down for so long it will not do. */
const REFUSED_FOR_GOOD_MS = 7 * DAY_MS;

/**
 * How long after an answer to ask again, should no callback come: from two minutes up to six hours.
 * @param fraction of the jitter, 0 to 1
 */
export function waitForEnd(asks: number, fraction: number): number {
  return exponentialBackoff(asks + 1, ASKING, fraction);
}

/** How long after a call that failed to make it again: from a second up to an hour. */
export function waitAfterFailedCall(failures: number, fraction: number): number {
  return exponentialBackoff(failures, FAILING, fraction);
}

/**
 * How long after an attempt that the gateway gave up to ask for the money again.
 * @returns milliseconds; null: it was tried often enough
 */
export function waitBeforeAttempt(madeSoFar: number): number | null {
  return WAITS_BEFORE_ANOTHER_MS[madeSoFar - 1] ?? null;
}

/** Whether a refund is on its way for longer than any bank takes. */
export function isLate(pendingSince: Date, now: Date): boolean {
  return now.getTime() - pendingSince.getTime() > LATE_AFTER_MS;
}

export function isRefusedForGood(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() > REFUSED_FOR_GOOD_MS;
}
