import type { IncomingHttpHeaders } from 'node:http';
import type { Paise } from '../loans/index.js';
import type { PaymentSettings } from '../settings/index.js';

export type GatewayKind = PaymentSettings['kind'];

export const CURRENCY = 'INR';

/** Personal data; stored only sealed. */
export interface PayingApplicant {
  /** Ten digits. */
  readonly mobile: string;
  readonly pan: string;
  readonly name: string;
}

export interface AccountHolder {
  /** The lender that owns the account; null: the operator's. */
  readonly account: string | null;
}

export interface OrderToCreate extends AccountHolder {
  /** The gateway's reference for the order, and the idempotency key. */
  readonly orderId: string;
  readonly partnerId: string;
  /** The application (`app_…`) or journey (`jrn_…`). */
  readonly subjectId: string;
  readonly amount: Paise;
  /** Shown on the payment page; no personal data. */
  readonly description: string;
  readonly payeeName: string;
  readonly applicant: PayingApplicant;
  readonly expiresAt: Date;
  /** Where the gateway sends the browser. */
  readonly returnUrl: string;
}

export interface OrderReference extends AccountHolder {
  readonly orderId: string;
  /** Null until a response contains it; the gateway then searches by `orderId`. */
  readonly gatewayOrderId: string | null;
}

export interface GatewayPayment {
  readonly id: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  /** As the gateway names it: `upi`, `card`, `netbanking`… */
  readonly method: string | null;
  readonly paidAt: Date;
}

export interface GatewayOrderState {
  readonly gatewayOrderId: string | null;
  /** The payment page. */
  readonly url: string | null;
  readonly status: 'OPEN' | 'PAID' | 'FAILED' | 'EXPIRED' | 'CANCELLED';
  /** Captured and not refunded. */
  readonly payments: readonly GatewayPayment[];
  readonly failedPaymentIds: readonly string[];
}

export interface RefundReference extends AccountHolder {
  /** The gateway's receipt for the refund, and the idempotency key. */
  readonly key: string;
  readonly orderId: string;
  readonly gatewayPaymentId: string;
  /** Null until a response contains it; the gateway then searches by `key`. */
  readonly gatewayRefundId: string | null;
}

export interface RefundToMake extends RefundReference {
  /** In the payment currency's smallest unit. */
  readonly amount: number;
}

export interface GatewayRefundState {
  /** Null: made in the gateway's dashboard. */
  readonly key: string | null;
  readonly gatewayRefundId: string;
  readonly gatewayPaymentId: string;
  readonly amount: number;
  readonly status: 'PENDING' | 'DONE' | 'FAILED';
}

export interface PaymentPage {
  readonly name: string;
  /** The host in the address bar; null: not configured. */
  readonly host: string | null;
}

export interface ReceivedCallback {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface GatewayEvent {
  /** The same on every delivery of the event. */
  readonly eventId: string;
  readonly name: string;
  readonly about: EventSubject | null;
  readonly refund?: GatewayRefundState;
}

export interface EventSubject {
  /** At least one id is present. */
  readonly orderId: string | null;
  readonly gatewayOrderId: string | null;
  /** Null: incomplete, so the gateway is asked. */
  readonly state: GatewayOrderState | null;
}

/**
 * Each call takes at most ten seconds and is idempotent. Throws `PaymentsUnavailable` without a usable answer,
 * `GatewayRefused` when the gateway refuses the call.
 */
export interface PaymentGateway {
  readonly kind: GatewayKind;

  readonly takesPaymentsAfterFailure: boolean;

  pageOf(account: string | null): Promise<PaymentPage>;

  /** Opens a page, or returns the one that an earlier call opened. */
  createOrder(order: OrderToCreate): Promise<GatewayOrderState>;

  /** Null: unknown to the gateway. */
  fetchOrder(reference: OrderReference): Promise<GatewayOrderState | null>;

  cancelOrder(reference: OrderReference): Promise<GatewayOrderState | null>;

  /** Refunds a whole payment; idempotent by key. */
  makeRefund(refund: RefundToMake): Promise<GatewayRefundState>;

  /** Null: unknown to the gateway. */
  fetchRefund(reference: RefundReference): Promise<GatewayRefundState | null>;

  /** @throws Fault invalid_signature; malformed_json when the signed body is not a JSON object */
  readCallback(callback: ReceivedCallback, account: string | null): Promise<GatewayEvent>;
}

export const PAYMENT_GATEWAYS = Symbol('payment gateways');

/** The call can be repeated. */
export class PaymentsUnavailable extends Error {
  override name = 'PaymentsUnavailable';
}

/** Permanent: a wrong key, a suspended account, an invalid field. */
export class GatewayRefused extends PaymentsUnavailable {
  override name = 'GatewayRefused';
}

/** The gateway refused this refund, for example for a low balance; the key is valid. */
export class RefundRefused extends GatewayRefused {
  override name = 'RefundRefused';
}

export class PaymentOrderClosed extends Error {
  override name = 'PaymentOrderClosed';

  constructor(readonly status: 'PAID' | 'EXPIRED' | 'CANCELLED') {
    super(`the order is ${status}`);
  }
}
