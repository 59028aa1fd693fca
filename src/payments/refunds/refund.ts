import type { GatewayRefundState, RefundReference } from '../payment-gateway.js';
import type { PaymentRefund } from '../store/payment-refund.entity.js';
import type { RefundReason } from './refund-status.js';

/** A payment that was recorded. */
export interface PaymentOfOrder {
  readonly partnerId: string;
  readonly orderId: string;
  readonly gatewayPaymentId: string;
}

/** Money that is to go back. */
export interface NewRefund extends PaymentOfOrder {
  readonly reason: RefundReason;
}

/** A refund as far as its payer is told of it. */
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

/** Money on its way back, or sent back, as its payer is told of it. */
export interface ReturnedMoney extends ShownRefund {
  /** Whether the gateway has given up what it had called done, and nobody has seen to it yet. */
  readonly isTakenBack: boolean;
}

/** A refund as its claim left it: the holder of this `leaseToken` alone may work on it for a while. */
export type LeasedRefund = PaymentRefund;

/** Under which name a gateway is asked for a refund: another one for each attempt. */
export function keyOf({ id, attempt }: Pick<PaymentRefund, 'id' | 'attempt'>): string {
  return `${id}-${attempt}`;
}

/** The refund that a name speaks of; null for a name that was not made here. */
export function refundIdOf(key: string | null): string | null {
  return /^(rfd_\w+)-\d+$/.exec(key ?? '')?.[1] ?? null;
}

export function referenceOf(refund: PaymentRefund): RefundReference {
  const { orderId, account, gatewayPaymentId, gatewayRefundId } = refund;
  return { key: keyOf(refund), orderId, account, gatewayPaymentId, gatewayRefundId };
}

/** Whether the gateway speaks of the attempt that is under way, and of the same money. */
export function isAbout(state: GatewayRefundState, refund: PaymentRefund): boolean {
  const { key, gatewayPaymentId, amount } = state;
  return (
    key === keyOf(refund) &&
    gatewayPaymentId === refund.gatewayPaymentId &&
    amount === refund.amount
  );
}
