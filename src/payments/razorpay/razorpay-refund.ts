import type { GatewayRefundState } from '../payment-gateway.js';
import { type Fields, integerOf, textOf } from './razorpay-fields.js';

/**
 * Razorpay’s states in which a refund is over. In every other one (`created`, `pending`, or one that is not
 * documented) there is a refund, and to ask for another might pay twice: it is followed.
 */
const ENDS: ReadonlyMap<string, GatewayRefundState['status']> = new Map([
  ['processed', 'DONE'],
  ['failed', 'FAILED'],
  ['reversed', 'FAILED'],
]);

/**
 * Reads a refund entity (https://razorpay.com/docs/api/refunds/entity).
 * @returns null when it is not one that can be understood
 */
export function refundStateOf(refund: Fields): GatewayRefundState | null {
  const gatewayRefundId = textOf(refund.id);
  const gatewayPaymentId = textOf(refund.payment_id);
  const amount = integerOf(refund.amount);
  const status = ENDS.get(textOf(refund.status) ?? '') ?? 'PENDING';
  if (!gatewayRefundId || !gatewayPaymentId || amount === null) return null;
  return { key: textOf(refund.receipt), gatewayRefundId, gatewayPaymentId, amount, status };
}
