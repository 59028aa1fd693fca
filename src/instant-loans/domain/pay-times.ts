import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { isUnpaid } from './instant-loan-status.js';

/** How long an application may stay unpaid. */
export const VALID_HOURS = 72;
const VALID_MS = VALID_HOURS * 3_600_000;

/** When an application ends unpaid at the latest, whatever its offers. */
export function lastEnd({ createdAt }: Pick<InstantLoan, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + VALID_MS);
}

/** When an application ends unpaid with this offer: nobody pays for what the lender no longer stands by. */
export function endWith(loan: Pick<InstantLoan, 'createdAt'>, validUntil: Date): Date {
  const end = lastEnd(loan).getTime();
  return new Date(Math.min(end, validUntil.getTime()));
}

/** Until when a payment without a page can be begun: its page is not to be open for longer than the offer is good. */
export function beginUntil(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - SHORTEST_PAGE_LIFE_MS);
}

/** Whether the fee was not paid in time; the gateway may still be about to be asked for the last time. */
export function isPastPaying(
  loan: InstantLoan,
  now: Date,
  hasPage = loan.paymentOrderId !== null,
): boolean {
  return isUnpaid(loan.status) && payUntil(loan, hasPage) <= now;
}

/** A payment without a page has to be begun before its page would be open for longer than the offer is good. */
export function payUntil({ expiresAt }: InstantLoan, hasPage: boolean): Date {
  return hasPage ? expiresAt : beginUntil(expiresAt);
}
