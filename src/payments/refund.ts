import type { GatewayRefundState, RefundReference } from './payment-gateway.js';
import type { PaymentRefund } from './store/payment-refund.entity.js';
import type { RefundReason } from './payment-status.js';

export interface PaymentOfOrder {
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
  /** The gateway revoked it, and no operator has resolved that. */
  readonly isTakenBack: boolean;
}

/** Only the holder of this `leaseToken` may work on it. */
export type LeasedRefund = PaymentRefund;

/** The idempotency key, different for each attempt. */
export function keyOf({ id, attempt }: Pick<PaymentRefund, 'id' | 'attempt'>): string {
  return `${id}-${attempt}`;
}

/** Null for a key that was not made here. */
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
