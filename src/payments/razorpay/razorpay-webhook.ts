import { createHmac } from 'node:crypto';
import { equalBytes, Fault, parseJsonBody, sha256 } from '../../platform/index.js';
import type {
  EventSubject,
  GatewayEvent,
  GatewayOrderState,
  GatewayRefundState,
  ReceivedCallback,
} from '../payment-gateway.js';
import {
  type Fields,
  fieldsOf,
  orderStateOf,
  paymentOf,
  refundStateOf,
  textOf,
} from './razorpay-fields.js';

/** `refund.speed_changed` does not change the state. */
const REFUND_EVENTS = new Set(['refund.created', 'refund.processed', 'refund.failed']);

/** Key of the order id in a link's notes. */
export const ORDER_NOTE = 'order_id';

/**
 * https://razorpay.com/docs/webhooks/validate-test
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
 * The event id is an unsigned header, so it is used only to skip repeats.
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

/** @returns null when the gateway must be asked */
function refundOf(name: string, payload: Fields): GatewayRefundState | null {
  const refund = REFUND_EVENTS.has(name) ? refundStateOf(entityOf(payload, 'refund')) : null;
  const isAtOdds = name === 'refund.failed' && refund?.status !== 'FAILED';
  return isAtOdds ? null : refund;
}

function entityOf(payload: Fields, name: string): Fields {
  return fieldsOf(fieldsOf(payload[name]).entity);
}

/** @returns null when the gateway must be asked */
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
 * A payment names its link only by description (`#QflcnnZqCekuvL`, the id without prefix) or copied notes.
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
