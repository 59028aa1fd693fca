import type { Paise } from '../loans/index.js';
import type { PayingApplicant } from './payment-gateway.js';
import { isEnded } from './payment-status.js';
import type { PaymentOrder } from './store/payment-order.entity.js';

/**
 * How long a gateway's page is open at the least (https://razorpay.com/docs/api/payments/payment-links: fifteen
 * minutes from now, and one for the way). Later than so long before the end of an order none is opened: it could
 * be paid when the order is over.
 */
export const SHORTEST_PAGE_LIFE_MS = 16 * 60_000;

/** What is asked for, durably, in the transaction of whoever asks. */
export interface NewPaymentOrder {
  readonly partnerId: string;
  /** The application that it is for (`app_…`). */
  readonly subjectId: string;
  readonly amount: Paise;
  /** The lender whose fee it is: it goes into its own account, where it names one. */
  readonly payee: string;
  /** What the applicant reads on the gateway's page; no personal data. */
  readonly description: string;
  /** The payee as applicants know it, for a page that has words of its own for what is paid. */
  readonly payeeName: string;
  readonly applicant: PayingApplicant;
  /** After this the gateway's page is closed; one is opened `SHORTEST_PAGE_LIFE_MS` before it at the latest. */
  readonly expiresAt: Date;
  /** Where the gateway sends the browser afterwards; ours. */
  readonly returnUrl: string;
}

/** The part of an order that is sealed in its row, and erased with the applicant. */
export type OrderDetails = Pick<
  NewPaymentOrder,
  'description' | 'payeeName' | 'applicant' | 'returnUrl'
>;

/** An order as its claim left it: the holder of this `leaseToken` alone may work on it for a while. */
export type LeasedOrder = PaymentOrder;

/** The calls about an order that failed in a row. */
export interface FailureStreak {
  readonly failures: number;
  readonly since: Date;
  /** Whether it has lasted for so long that a person should know. */
  readonly isLong: boolean;
}

/** An order, named together with whom it is for. */
export interface OrderOfSubject {
  readonly partnerId: string;
  readonly subjectId: string;
  readonly orderId: string;
}

/** Why an order can be paid no more, or is about to; null while it can. */
export function endOf(order: PaymentOrder): 'PAID' | 'EXPIRED' | 'CANCELLED' | null {
  return isEnded(order.status) ? order.status : order.closing;
}
