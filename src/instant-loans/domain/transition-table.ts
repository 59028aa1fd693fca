import type { InstantLoanStatus } from './instant-loan-status.js';

export type InstantLoanTrigger =
  | 'LENDERS_DECLINED'
  | 'LENDERS_SILENT'
  | 'PAID'
  | 'TRY_FAILED'
  | 'TIME_RAN_OUT'
  | 'WITHDRAWN'
  | 'LENDER_GONE'
  | 'OFFER_LET_GO'
  | 'SANCTIONED'
  | 'DECLINED';

/**
 * Every possible move. A payment is accepted in both unpaid statuses, so the order of a failed try
 * and a payment does not matter. Replacing the offer clears a failed payment.
 */
export const TRANSITIONS: Readonly<
  Record<InstantLoanStatus, Readonly<Partial<Record<InstantLoanTrigger, InstantLoanStatus>>>>
> = {
  PAYMENT_PENDING: {
    LENDERS_DECLINED: 'REJECTED',
    LENDERS_SILENT: 'REJECTED',
    PAID: 'PAYMENT_RECEIVED',
    TRY_FAILED: 'PAYMENT_FAILED',
    TIME_RAN_OUT: 'EXPIRED',
    WITHDRAWN: 'EXPIRED',
    LENDER_GONE: 'EXPIRED',
  },
  PAYMENT_FAILED: {
    OFFER_LET_GO: 'PAYMENT_PENDING',
    PAID: 'PAYMENT_RECEIVED',
    TIME_RAN_OUT: 'EXPIRED',
    WITHDRAWN: 'EXPIRED',
  },
  PAYMENT_RECEIVED: { SANCTIONED: 'SANCTIONED', DECLINED: 'REJECTED' },
  SANCTIONED: {},
  REJECTED: {},
  EXPIRED: {},
};

export function transition(
  status: InstantLoanStatus,
  trigger: InstantLoanTrigger,
): InstantLoanStatus | null {
  return TRANSITIONS[status][trigger] ?? null;
}
