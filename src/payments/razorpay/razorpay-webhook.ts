import { createHmac } from 'node:crypto';
import { equalBytes, Fault, parseJsonBody, sha256 } from '../../platform/index.js';
import type {
  EventSubject,
  GatewayEvent,
  GatewayOrderState,
  GatewayRefundState,
  ReceivedCallback,
} from '../payment-gateway.js';
import { type Fields, fieldsOf, textOf } from './razorpay-fields.js';
import { paymentOf, orderStateOf } from './razorpay-link.js';
import { refundStateOf } from './razorpay-refund.js';

/** What tells how a refund stands; `refund.speed_changed` tells nothing of it. */
const REFUND_EVENTS = new Set(['refund.created', 'refund.processed', 'refund.failed']);

/** The key of our order's id among a link's notes. */
export const ORDER_NOTE = 'order_id';

/**
 * Verifies a webhook (https://razorpay.com/docs/webhooks/validate-test): the header has the hex
 * HMAC-SHA256 of the raw body under the webhook's secret.
 * @throws Fault invalid_signature
 */
export function verifyWebhook({ headers, body }: ReceivedCallback, secret: string): void {
  const given = headers['x-razorpay-signature'];
  const made = createHmac('sha256', secret).update(body).digest();
  const isRight = typeof given === 'string' && /^[0-9a-f]{64}$/i.test(given);
  if (!isRight || !equalBytes(Buffer.from(given, 'hex'), made))
    throw new Fault('invalid_signature');
}

/**
 * Reads a verified webhook. The same event always has the same `x-razorpay-event-id`; the header
 * is not signed, so nothing but the sparing of work hangs on it.
 * @throws Fault malformed_json
 */
export function readWebhook({ headers, body }: ReceivedCallback): GatewayEvent {
  const event = parseJsonBody(body);
  const header = headers['x-razorpay-event-id'];
  const eventId = typeof header === 'string' && header !== '' ? header.slice(0, 200) : sha256(body);
  const name = textOf(event.event) ?? '';
  const payload = fieldsOf(event.payload);
  const refund = refundOf(name, payload);
  return { eventId, name, about: subjectOf(name, payload), ...(refund && { refund }) };
}

function subjectOf(name: string, payload: Fields): EventSubject | null {
  const link = entityOf(payload, 'payment_link');
  const payment = entityOf(payload, 'payment');
  switch (name) {
    case 'payment_link.paid':
    case 'payment_link.partially_paid':
      return aboutLink(link, withPayment(orderStateOf(link), payment));
    case 'payment_link.expired':
    case 'payment_link.cancelled':
      return aboutLink(link, orderStateOf(link));
    case 'payment.failed':
      return aboutFailedTry(payment);
    default:
      return null;
  }
}

/** Null for what tells of no refund, or of none that can be understood: the gateway is asked then. */
function refundOf(name: string, payload: Fields): GatewayRefundState | null {
  const refund = REFUND_EVENTS.has(name) ? refundStateOf(entityOf(payload, 'refund')) : null;
  const isAtOdds = name === 'refund.failed' && refund?.status !== 'FAILED';
  return isAtOdds ? null : refund;
}

function entityOf(payload: Fields, name: string): Fields {
  return fieldsOf(fieldsOf(payload[name]).entity);
}

/** The payment that the event is about; without it the gateway is to be asked for it. */
function withPayment(state: GatewayOrderState | null, payment: Fields): GatewayOrderState | null {
  const captured = paymentOf(payment);
  return state && captured ? { ...state, payments: [captured] } : null;
}

function aboutLink(link: Fields, state: GatewayOrderState | null): EventSubject | null {
  const orderId = textOf(link.reference_id);
  const gatewayOrderId = textOf(link.id);
  return orderId || gatewayOrderId ? { orderId, gatewayOrderId, state } : null;
}

/**
 * A payment does not name its link as such; its description is the link's id without the prefix
 * (`#QflcnnZqCekuvL`), and its notes may be the link's.
 */
function aboutFailedTry(payment: Fields): EventSubject | null {
  const orderId = textOf(fieldsOf(payment.notes)[ORDER_NOTE]);
  const link = /^#(\w{8,30})$/.exec(textOf(payment.description) ?? '')?.[1];
  const gatewayOrderId = link === undefined ? null : `plink_${link}`;
  const id = textOf(payment.id);
  if (id === null || (orderId === null && gatewayOrderId === null)) return null;
  const state: GatewayOrderState = {
    gatewayOrderId,
    url: null,
    status: 'FAILED',
    payments: [],
    failedPaymentIds: [id],
  };
  return { orderId, gatewayOrderId, state };
}
