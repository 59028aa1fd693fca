import type { GatewayPayment, GatewayOrderState } from '../payment-gateway.js';
import { type Fields, integerOf, listOf, textOf, timeOf } from './razorpay-fields.js';

const STATUSES: ReadonlyMap<string, GatewayOrderState['status']> = new Map([
  ['created', 'OPEN'],
  ['partially_paid', 'OPEN'],
  ['paid', 'PAID'],
  ['expired', 'EXPIRED'],
  ['cancelled', 'CANCELLED'],
]);

/**
 * https://razorpay.com/docs/api/payments/payment-links/entity
 * @returns null when it is unreadable
 */
export function orderStateOf(link: Fields): GatewayOrderState | null {
  const id = textOf(link.id);
  const status = STATUSES.get(textOf(link.status) ?? '');
  if (!id || !status) return null;
  const currency = textOf(link.currency);
  const payments = listOf(link.payments).flatMap((payment) => {
    // A link's payment has `payment_id`, and its link's currency.
    const read = paymentOf({ currency, ...payment, id: payment.payment_id });
    return read ? [read] : [];
  });
  const url = textOf(link.short_url);
  return { gatewayOrderId: id, url, status, payments, failedPaymentIds: [] };
}

/** @returns null unless it is a captured payment */
export function paymentOf(payment: Fields): GatewayPayment | null {
  const id = textOf(payment.id);
  const amount = integerOf(payment.amount);
  const currency = textOf(payment.currency);
  const paidAt = timeOf(payment.created_at);
  if (payment.status !== 'captured') return null;
  if (id === null || amount === null || currency === null || paidAt === null) return null;
  return { id, amount, currency, method: textOf(payment.method), paidAt };
}
