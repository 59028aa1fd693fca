import type { InstantLoanStatus } from './instant-loan-status.js';

/** What can happen to an application. */
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
 * Every move that an application can make; what is not here cannot happen. Money moves it out of
 * both unpaid statuses, so it does not matter whether a failed try or the payment is told of first.
 * Without an offer there is nothing to pay: it is rejected as it is. With another offer in place of the
 * chosen one nothing has failed yet.
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

/** The status that `trigger` leads to, or null when it moves nothing. */
export function transition(
  status: InstantLoanStatus,
  trigger: InstantLoanTrigger,
): InstantLoanStatus | null {
  return TRANSITIONS[status][trigger] ?? null;
}
