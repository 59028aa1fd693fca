import type { IncomingHttpHeaders } from 'node:http';
import type { Paise } from '../loans/index.js';
import type { PaymentSettings } from '../settings/index.js';

export type GatewayKind = PaymentSettings['kind'];

/** The one currency in which fees are taken. */
export const CURRENCY = 'INR';

/** Whose payment it is; personal data, sealed wherever it is stored. */
export interface PayingApplicant {
  /** Ten digits. */
  readonly mobile: string;
  readonly pan: string;
  readonly name: string;
}

/** Whose account money is taken into and given back from. */
export interface AccountHolder {
  /** The code of the lender whose own it is; null: the operator's. */
  readonly account: string | null;
}

/** An order as a gateway is told of it. */
export interface OrderToCreate extends AccountHolder {
  /** Our order's id, which the gateway keeps as its reference and takes as idempotency key. */
  readonly orderId: string;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly amount: Paise;
  readonly description: string;
  readonly payeeName: string;
  readonly applicant: PayingApplicant;
  readonly expiresAt: Date;
  /** Where the gateway sends the browser afterwards. */
  readonly returnUrl: string;
}

/** An order that a gateway may know. */
export interface OrderReference extends AccountHolder {
  readonly orderId: string;
  /** Null as long as no answer has told it: the gateway then looks by `orderId`. */
  readonly gatewayOrderId: string | null;
}

/** Money that a gateway has taken. */
export interface GatewayPayment {
  readonly id: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  /** As the gateway calls it: `upi`, `card`, `netbanking`… */
  readonly method: string | null;
  readonly paidAt: Date;
}

/** What a gateway reports of an order. Facts only ever add up: a payment once reported stays. */
export interface GatewayOrderState {
  /** Null where what told of the order does not say. */
  readonly gatewayOrderId: string | null;
  /** The page on which it can be paid; null likewise. */
  readonly url: string | null;
  readonly status: 'OPEN' | 'PAID' | 'FAILED' | 'EXPIRED' | 'CANCELLED';
  /** Every payment that was captured and has not gone back. */
  readonly payments: readonly GatewayPayment[];
  /** The gateway's ids of tries that failed. */
  readonly failedPaymentIds: readonly string[];
}

/** A refund that a gateway may know. */
export interface RefundReference extends AccountHolder {
  /** Our name of it, which the gateway keeps as its receipt and takes as idempotency key. */
  readonly key: string;
  /** The order that was paid. */
  readonly orderId: string;
  /** The payment that goes back. */
  readonly gatewayPaymentId: string;
  /** Null as long as no answer has told it: the gateway then looks by `key`. */
  readonly gatewayRefundId: string | null;
}

/** A refund as a gateway is asked for it. */
export interface RefundToMake extends RefundReference {
  /** In the smallest unit of the payment's currency. */
  readonly amount: number;
}

/** What a gateway reports of a refund. */
export interface GatewayRefundState {
  /** Our name of it; null for one that was made at the gateway by hand. */
  readonly key: string | null;
  readonly gatewayRefundId: string;
  readonly gatewayPaymentId: string;
  readonly amount: number;
  readonly status: 'PENDING' | 'DONE' | 'FAILED';
}

/** On whose page applicants pay, as they read it before they leave. */
export interface PaymentPage {
  readonly name: string;
  /** What the address bar shows as the page opens; null: the configuration does not say. */
  readonly host: string | null;
}

/** A callback as it came in, its bytes untouched. */
export interface ReceivedCallback {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What a verified callback says. */
export interface GatewayEvent {
  /** The same on every delivery of one event. */
  readonly eventId: string;
  /** The gateway's name for it. */
  readonly name: string;
  /** Null: an event that tells nothing of an order of this service. */
  readonly about: EventSubject | null;
  /** What it tells of a refund; left out when it tells nothing of any. */
  readonly refund?: GatewayRefundState;
}

export interface EventSubject {
  /** Our order's id or the gateway's: one of them at least. */
  readonly orderId: string | null;
  readonly gatewayOrderId: string | null;
  /** Null when the event cannot be read in full: the gateway is asked then. */
  readonly state: GatewayOrderState | null;
}

/**
 * What a payment gateway can be asked. It is on the far side of a network: each call ends within ten
 * seconds and may be made again. Every method throws `PaymentsUnavailable` when no usable answer
 * came, and `GatewayRefused` when the gateway turned the call itself down.
 */
export interface PaymentGateway {
  readonly kind: GatewayKind;

  /** Whether a page on which a payment failed takes another one. */
  readonly takesPaymentsAfterFailure: boolean;

  /** The page that orders of an account are paid on; nobody is asked. */
  pageOf(account: string | null): Promise<PaymentPage>;

  /** Opens a page for an order, or finds the one that an earlier call opened. */
  createOrder(order: OrderToCreate): Promise<GatewayOrderState>;

  /** How an order stands; null when the gateway does not know it. */
  fetchOrder(reference: OrderReference): Promise<GatewayOrderState | null>;

  /** Has a page take no payment any more, and answers how the order stands then. */
  cancelOrder(reference: OrderReference): Promise<GatewayOrderState | null>;

  /** Has a payment go back, all of it; with a key that it was asked with before, the same refund. */
  makeRefund(refund: RefundToMake): Promise<GatewayRefundState>;

  /** How a refund stands; null when the gateway does not know it. */
  fetchRefund(reference: RefundReference): Promise<GatewayRefundState | null>;

  /**
   * Verifies a callback that came for an account, and reads it.
   * @throws Fault invalid_signature, or malformed_json for signed bytes that are no JSON object
   */
  readCallback(callback: ReceivedCallback, account: string | null): Promise<GatewayEvent>;
}

export const PAYMENT_GATEWAYS = Symbol('payment gateways');

/** The gateway gave no usable answer in time; nothing is known, and to ask again is safe. */
export class PaymentsUnavailable extends Error {
  override name = 'PaymentsUnavailable';
}

/** The gateway turned a call down for good: a wrong key, a suspended account, a field it refuses. */
export class GatewayRefused extends PaymentsUnavailable {
  override name = 'GatewayRefused';
}

/**
 * The gateway turned down the very refund that it was asked for (too little balance, paid back by hand). A
 * wrong key, or a lender without an account, says nothing of the refund.
 */
export class RefundRefused extends GatewayRefused {
  override name = 'RefundRefused';
}

/** The order cannot be paid any more, whatever the gateway's page would say. */
export class PaymentOrderClosed extends Error {
  override name = 'PaymentOrderClosed';

  constructor(readonly status: 'PAID' | 'EXPIRED' | 'CANCELLED') {
    super(`the order is ${status}`);
  }
}
