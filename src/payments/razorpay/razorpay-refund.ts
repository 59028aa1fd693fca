import type { GatewayRefundState } from '../payment-gateway.js';
import { type Fields, integerOf, textOf } from './razorpay-fields.js';

/** Final states. Every other one, documented or not, is followed: a second request might pay twice. */
const ENDS: ReadonlyMap<string, GatewayRefundState['status']> = new Map([
  ['processed', 'DONE'],
  ['failed', 'FAILED'],
  ['reversed', 'FAILED'],
]);

/**
 * https://razorpay.com/docs/api/refunds/entity
 * @returns null when it is unreadable
 */
export function refundStateOf(refund: Fields): GatewayRefundState | null {
  const gatewayRefundId = textOf(refund.id);
  const gatewayPaymentId = textOf(refund.payment_id);
  const amount = integerOf(refund.amount);
  const status = ENDS.get(textOf(refund.status) ?? '') ?? 'PENDING';
  if (!gatewayRefundId || !gatewayPaymentId || amount === null) return null;
  return { key: textOf(refund.receipt), gatewayRefundId, gatewayPaymentId, amount, status };
}
