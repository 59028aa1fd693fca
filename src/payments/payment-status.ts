/**
 * `NEW`: the gateway may or may not have a page. `FAILED`: an attempt failed; some gateways allow another. `EXPIRED`,
 * `CANCELLED`: the page is closed. `PAID`: the right amount was captured, whenever that was.
 */
export type PaymentStatus = 'NEW' | 'OPEN' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | 'PAID';

/** Reports come in any order, so an order only moves forward, and a payment after expiry is still a payment. */
export const PAYMENT_MOVES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  NEW: ['OPEN', 'FAILED', 'EXPIRED', 'CANCELLED', 'PAID'],
  OPEN: ['FAILED', 'EXPIRED', 'CANCELLED', 'PAID'],
  FAILED: ['EXPIRED', 'CANCELLED', 'PAID'],
  EXPIRED: ['CANCELLED', 'PAID'],
  CANCELLED: ['PAID'],
  PAID: [],
};

/** Why this service closes an order. */
export type Closing = 'EXPIRED' | 'CANCELLED';

export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return PAYMENT_MOVES[from].includes(to);
}

export function isEnded(status: PaymentStatus): status is 'EXPIRED' | 'CANCELLED' | 'PAID' {
  return status === 'EXPIRED' || status === 'CANCELLED' || status === 'PAID';
}

/** `REQUESTED`: the gateway may or may not have it. `PENDING`: the money is on its way. `FAILED`: an operator resolves it. */
export type RefundStatus = 'REQUESTED' | 'PENDING' | 'DONE' | 'FAILED';

/** A failed attempt returns a refund to `REQUESTED`. */
const REFUND_MOVES: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  REQUESTED: ['PENDING', 'DONE', 'REQUESTED', 'FAILED'],
  PENDING: ['DONE', 'REQUESTED', 'FAILED'],
  DONE: [],
  FAILED: ['DONE'],
};

export function canRefundMove(from: RefundStatus, to: RefundStatus): boolean {
  return REFUND_MOVES[from].includes(to);
}

export type RefundReason =
  /** The lender declined and keeps no fee. */
  | 'DECLINED'
  /** Another payment of the application counted. */
  | 'PAID_TWICE'
  /** The application was over. */
  | 'PAID_TOO_LATE'
  /** Not the ordered amount or currency. */
  | 'OTHER_AMOUNT';
