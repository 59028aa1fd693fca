/**
 * How a refund stands with us.
 *
 * - `REQUESTED`: the intent is recorded; the gateway may or may not have it yet.
 * - `PENDING`: the gateway has it, and the money is on its way.
 * - `DONE`: the gateway has sent the money back.
 * - `FAILED`: it did not go back, however often it was tried: a person sees to it.
 */
export type RefundStatus = 'REQUESTED' | 'PENDING' | 'DONE' | 'FAILED';

/**
 * Every move that there is. An attempt that the gateway gives up takes a refund back to `REQUESTED`, for
 * another one. What went back went back, whatever was said before.
 */
const REFUND_MOVES: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  REQUESTED: ['PENDING', 'DONE', 'REQUESTED', 'FAILED'],
  PENDING: ['DONE', 'REQUESTED', 'FAILED'],
  DONE: [],
  FAILED: ['DONE'],
};

export function canRefundMove(from: RefundStatus, to: RefundStatus): boolean {
  return REFUND_MOVES[from].includes(to);
}

/** Why money goes back. */
export type RefundReason =
  /** The lender does not lend, and does not keep its fee. */
  | 'DECLINED'
  /** Another payment of the same application counted. */
  | 'PAID_TWICE'
  /** The application was over. */
  | 'PAID_TOO_LATE'
  /** Another amount or currency than was ordered: it counts for nothing. */
  | 'OTHER_AMOUNT';
