import type { GatewayOrderState, GatewayPayment, GatewayRefundState } from '../payment-gateway.js';
import { isRecord } from '../../platform/index.js';

/** Unvalidated fields of a response. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
/** PostgreSQL limits an index entry to 2,704 bytes. */
const LONGEST_TEXT = 800;
/** PostgreSQL stores no NUL, and its JSON no lone surrogate. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** @returns null unless it is a storable, non-empty text */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_TEXT) return null;
  return UNSTORABLE.test(value) ? null : value;
}

/**
 * @param value seconds since 1970, up to the year 9999
 * @returns null for anything else
 */
function timeOf(value: unknown): Date | null {
  const seconds = integerOf(value);
  return seconds === null || seconds > LAST_SECOND ? null : new Date(seconds * 1000);
}

/** Razorpay sends amounts as numbers or as text. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

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
    // A link's payment has `payment_id` and no currency.
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

/** Every other state, documented or not, is pending: a second request might pay twice. */
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
