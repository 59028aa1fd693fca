import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';
import type { InstantLoanPosition } from './instant-loan.js';
import { isUnpaid } from './instant-loan-status.js';

export const VALID_HOURS = 72;
const VALID_MS = VALID_HOURS * 3_600_000;

/** The latest end of an unpaid application. */
export function lastEnd({ createdAt }: InstantLoanPosition): Date {
  return new Date(createdAt.getTime() + VALID_MS);
}

/** An unpaid application also ends when the lender's offer does. */
export function endWith(loan: InstantLoanPosition, validUntil: Date): Date {
  const end = lastEnd(loan).getTime();
  return new Date(Math.min(end, validUntil.getTime()));
}

/** A payment must begin early enough that its page does not outlast the offer. */
export function beginUntil(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - SHORTEST_PAGE_LIFE_MS);
}

/** Unpaid and too late; the gateway may still be asked one last time. */
export function isPastPaying(
  loan: InstantLoanPosition,
  now: Date,
  hasPage = loan.paymentOrderId !== null,
): boolean {
  return isUnpaid(loan.status) && payUntil(loan, hasPage) <= now;
}

export function payUntil({ expiresAt }: InstantLoanPosition, hasPage: boolean): Date {
  return hasPage ? expiresAt : beginUntil(expiresAt);
}
