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
