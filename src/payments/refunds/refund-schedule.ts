import { exponentialBackoff } from '../../platform/index.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ASKING = { firstMs: 120_000, maxMs: 6 * HOUR_MS, jitter: 0.1 };
const FAILING = { firstMs: 1_000, maxMs: HOUR_MS, jitter: 0.2 };
/** A closed bank may reopen, and a low balance be filled. */
const WAITS_BEFORE_ANOTHER_MS = [HOUR_MS, DAY_MS];
/** A bank takes five to seven working days. */
const LATE_AFTER_MS = 14 * DAY_MS;
const REFUSED_FOR_GOOD_MS = 7 * DAY_MS;

/**
 * Milliseconds: two minutes to six hours.
 * @param fraction of the jitter, 0 to 1
 */
export function waitForEnd(asks: number, fraction: number): number {
  return exponentialBackoff(asks + 1, ASKING, fraction);
}

/** Milliseconds: a second to an hour. */
export function waitAfterFailedCall(failures: number, fraction: number): number {
  return exponentialBackoff(failures, FAILING, fraction);
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
