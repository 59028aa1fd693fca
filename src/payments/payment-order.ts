import type { GatewayRefundState, OrderToCreate, RefundReference } from './payment-gateway.js';
import { isEnded, type RefundReason } from './payment-status.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import type { PaymentRefund } from './store/payment-refund.entity.js';

/**
 * A gateway keeps a page open for at least fifteen minutes (https://razorpay.com/docs/api/payments/payment-links);
 * one more is for the call. A later page could be paid after the order's end.
 */
export const SHORTEST_PAGE_LIFE_MS = 16 * 60_000;

export interface NewPaymentOrder extends Omit<OrderToCreate, 'orderId' | 'account'> {
  /** A lender code. */
  readonly payee: string;
}

/** Sealed in the row; erased with the applicant. */
export type OrderDetails = Pick<
  NewPaymentOrder,
  'description' | 'payeeName' | 'applicant' | 'returnUrl'
>;

/** Only the holder of `leaseToken` may process it. */
export type LeasedOrder = PaymentOrder;

export interface FailureStreak {
  readonly failures: number;
  readonly since: Date;
  readonly isLong: boolean;
}

export function endOf(order: PaymentOrder): 'PAID' | 'EXPIRED' | 'CANCELLED' | null {
  return isEnded(order.status) ? order.status : order.closing;
}

interface PaymentOfOrder {
  readonly partnerId: string;
  readonly orderId: string;
  readonly gatewayPaymentId: string;
}

export interface NewRefund extends PaymentOfOrder {
  readonly reason: RefundReason;
}

export type ShownRefund = Pick<
  PaymentRefund,
  | 'id'
  | 'orderId'
  | 'gatewayPaymentId'
  | 'gatewayRefundId'
  | 'amount'
  | 'currency'
  | 'status'
  | 'statusAt'
>;

export interface ReturnedMoney extends ShownRefund {
  /** The gateway revoked the finished refund; no operator has resolved that. */
  readonly isRevoked: boolean;
}

/** Only the holder of `leaseToken` may process it. */
export type LeasedRefund = PaymentRefund;

/** The idempotency key, one per attempt. */
export function keyOf({ id, attempt }: Pick<PaymentRefund, 'id' | 'attempt'>): string {
  return `${id}-${attempt}`;
}

/** @returns null for a key of another system */
export function refundIdOf(key: string | null): string | null {
  return /^(rfd_\w+)-\d+$/.exec(key ?? '')?.[1] ?? null;
}

export function referenceOf(refund: PaymentRefund): RefundReference {
  const { orderId, account, gatewayPaymentId, gatewayRefundId } = refund;
  return { key: keyOf(refund), orderId, account, gatewayPaymentId, gatewayRefundId };
}

export function isAbout(state: GatewayRefundState, refund: PaymentRefund): boolean {
  const { key, gatewayPaymentId, amount } = state;
  return (
    key === keyOf(refund) &&
    gatewayPaymentId === refund.gatewayPaymentId &&
    amount === refund.amount
  );
}
