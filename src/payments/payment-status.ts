/**
 * `NEW`: the gateway may have a page. `FAILED`: an attempt failed; some gateways allow another. `EXPIRED`,
 * `CANCELLED`: the page is closed. `PAID`: the right amount was captured, even after expiry.
 */
export type PaymentStatus = 'NEW' | 'OPEN' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | 'PAID';

/** Reports arrive in any order, so an order only moves forward. */
export const PAYMENT_MOVES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  NEW: ['OPEN', 'FAILED', 'EXPIRED', 'CANCELLED', 'PAID'],
  OPEN: ['FAILED', 'EXPIRED', 'CANCELLED', 'PAID'],
  FAILED: ['EXPIRED', 'CANCELLED', 'PAID'],
  EXPIRED: ['CANCELLED', 'PAID'],
  CANCELLED: ['PAID'],
  PAID: [],
};

export type Closing = 'EXPIRED' | 'CANCELLED';

export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return PAYMENT_MOVES[from].includes(to);
}

export function isEnded(status: PaymentStatus): status is 'EXPIRED' | 'CANCELLED' | 'PAID' {
  return status === 'EXPIRED' || status === 'CANCELLED' || status === 'PAID';
}

/** `REQUESTED`: the gateway may have it. `FAILED`: an operator resolves it. */
export type RefundStatus = 'REQUESTED' | 'PENDING' | 'DONE' | 'FAILED';

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
  /** The application had ended. */
  | 'PAID_TOO_LATE'
  /** Not the ordered amount or currency. */
  | 'OTHER_AMOUNT';
