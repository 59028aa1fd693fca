import type { GatewayRefundState } from '../payment-gateway.js';
import { type Fields, integerOf, textOf } from './razorpay-fields.js';

/** Razorpay's states of a refund, and what they are to us. */
const STATUSES: ReadonlyMap<string, GatewayRefundState['status']> = new Map([
  ['pending', 'PENDING'],
  ['processed', 'DONE'],
  ['failed', 'FAILED'],
]);

/**
 * Reads a refund entity (https://razorpay.com/docs/api/refunds/entity).
 * @returns null when it is not one that can be understood
 */
export function refundStateOf(refund: Fields): GatewayRefundState | null {
  const gatewayRefundId = textOf(refund.id);
  const gatewayPaymentId = textOf(refund.payment_id);
  const amount = integerOf(refund.amount);
  const status = STATUSES.get(textOf(refund.status) ?? '');
  if (!gatewayRefundId || !gatewayPaymentId || amount === null || !status) return null;
  return { key: textOf(refund.receipt), gatewayRefundId, gatewayPaymentId, amount, status };
}
