import type { Paise } from '../loans/index.js';
import type { GatewayKind, PayingApplicant } from './payment-gateway.js';
import { type Closing, isEnded, type PaymentStatus } from './payment-status.js';

/** What is asked for, durably, in the transaction of whoever asks. */
export interface NewPaymentOrder {
  readonly partnerId: string;
  /** The application that it is for (`app_…`). */
  readonly subjectId: string;
  readonly amount: Paise;
  /** What the applicant reads on the gateway's page; no personal data. */
  readonly description: string;
  readonly applicant: PayingApplicant;
  /** After this the gateway's page is closed. */
  readonly expiresAt: Date;
  /** Where the gateway sends the browser afterwards; ours. */
  readonly returnUrl: string;
}

/** The part of an order that is sealed in its row, and erased with the applicant. */
export type OrderDetails = Pick<NewPaymentOrder, 'description' | 'applicant' | 'returnUrl'>;

/** An order as its row has it, the details apart. */
export interface PaymentOrder {
  readonly id: string;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly amount: Paise;
  readonly expiresAt: Date;
  readonly status: PaymentStatus;
  /** When it came to this status. */
  readonly statusAt: Date;
  /** The gateway that was first told of it, which it stays with; null: none was. */
  readonly gateway: GatewayKind | null;
  readonly gatewayOrderId: string | null;
  readonly url: string | null;
  /** Set when we have it closed: asked by its owner, or past its time. */
  readonly closing: Closing | null;
  /** The order that took this one's place. */
  readonly retriedAs: string | null;
  readonly detailsSealed: string | null;
  /** How often the gateway was asked since the page was opened. */
  readonly asks: number;
  /** Calls that failed in a row. */
  readonly failures: number;
  readonly isRefused: boolean;
}

/** An order that one process may work on for a while. */
export interface LeasedOrder extends PaymentOrder {
  readonly leaseToken: number;
}

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
