/**
 * How a payment order stands with us.
 *
 * - `NEW`: the intent is recorded; the gateway's page may or may not be there yet.
 * - `OPEN`: the page is there and can be paid.
 * - `FAILED`: a try to pay failed; where the gateway allows it, the page can still be paid.
 * - `EXPIRED`, `CANCELLED`: the page takes no payment any more.
 * - `PAID`: money of the right amount was captured, whenever that was.
 */
export type PaymentStatus = 'NEW' | 'OPEN' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | 'PAID';

/**
 * Every move that there is. News come in any order and more than once, so the statuses stand in one
 * line and an order moves along it only: whatever the order of arrival, it ends at the furthest. Money
 * is the furthest of all; what arrives after an expiry is a payment all the same.
 */
export const PAYMENT_MOVES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  NEW: ['OPEN', 'FAILED', 'EXPIRED', 'CANCELLED', 'PAID'],
  OPEN: ['FAILED', 'EXPIRED', 'CANCELLED', 'PAID'],
  FAILED: ['EXPIRED', 'CANCELLED', 'PAID'],
  EXPIRED: ['CANCELLED', 'PAID'],
  CANCELLED: ['PAID'],
  PAID: [],
};

/** Why an order takes no payment any more, as far as that is our doing. */
export type Closing = 'EXPIRED' | 'CANCELLED';

export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return PAYMENT_MOVES[from].includes(to);
}

/** Whether the order's page takes no payment any more. */
export function isEnded(status: PaymentStatus): status is 'EXPIRED' | 'CANCELLED' | 'PAID' {
  return status === 'EXPIRED' || status === 'CANCELLED' || status === 'PAID';
}
