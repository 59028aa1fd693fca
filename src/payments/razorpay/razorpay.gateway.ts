import { Injectable } from '@nestjs/common';
import type Razorpay from 'razorpay';
import { Clock, Fault } from '../../platform/index.js';
import {
  type AccountHolder,
  CURRENCY,
  type GatewayEvent,
  type GatewayOrderState,
  type GatewayRefundState,
  type OrderReference,
  type OrderToCreate,
  type PaymentGateway,
  type PaymentPage,
  type ReceivedCallback,
  type RefundReference,
  type RefundToMake,
  GatewayRefused,
  RefundRefused,
  PaymentsUnavailable,
} from '../payment-gateway.js';
import { SHORTEST_PAGE_LIFE_MS } from '../payment-order.js';
import { callRazorpay, razorpayClient } from './razorpay-client.js';
import {
  type Fields,
  fieldsOf,
  listOf,
  orderStateOf,
  paymentOf,
  refundStateOf,
  textOf,
} from './razorpay-fields.js';
import { ORDER_NOTE, readWebhook, verifyWebhook } from './razorpay-webhook.js';
import { ConfiguredGateways, type RazorpaySettings } from '../../settings/index.js';

const LONGEST_DESCRIPTION = 2_048;
/**
 * https://razorpay.com/docs/api/customers/create: Razorpay refuses a link with another name (two letters,
 * Devanagari), but accepts one without.
 */
const CUSTOMER_NAME = /^[A-Za-z0-9 .'/@()]{3,50}$/;
/** Razorpay's error for a repeated `reference_id`. */
const REPEATED_REFERENCE = /reference.?id.*already/i;

/** Rebuilt when the account's settings change. */
interface CurrentClient {
  readonly settings: RazorpaySettings;
  readonly client: Razorpay;
}

/**
 * https://razorpay.com/docs/api/payments/payment-links. Each order's id is its link's unique `reference_id`, so a
 * link whose response was lost is found again.
 */
@Injectable()
export class RazorpayGateway implements PaymentGateway {
  readonly kind = 'razorpay';
  readonly takesPaymentsAfterFailure = true;
  /** By lender code; null: the operator's account. */
  private readonly clients = new Map<string | null, CurrentClient>();

  constructor(
    private readonly configured: ConfiguredGateways,
    private readonly clock: Clock,
  ) {}

  async pageOf(account: string | null): Promise<PaymentPage> {
    const settings = await this.configured.payment(account);
    const host = settings?.kind === 'razorpay' ? settings.pageHost : undefined;
    return { name: 'Razorpay', host: host ?? null };
  }

  async createOrder(order: OrderToCreate): Promise<GatewayOrderState> {
    const client = await this.client(order);
    try {
      const link = await callRazorpay(() => client.paymentLink.create(this.linkOf(order)));
      return await this.read(client, fieldsOf(link));
    } catch (error) {
      const wasCreated = error instanceof GatewayRefused && REPEATED_REFERENCE.test(error.message);
      const state = wasCreated ? await this.findByReference(client, order.orderId) : null;
      if (state) return state;
      throw error;
    }
  }

  async fetchOrder(reference: OrderReference): Promise<GatewayOrderState | null> {
    return this.fetch(await this.client(reference), reference);
  }

  /** Razorpay does not cancel a paid or closed link. */
  async cancelOrder(reference: OrderReference): Promise<GatewayOrderState | null> {
    const client = await this.client(reference);
    const { gatewayOrderId } = await this.located(client, reference);
    if (gatewayOrderId === null) return null;
    try {
      const link = await callRazorpay(() => client.paymentLink.cancel(gatewayOrderId));
      return await this.read(client, fieldsOf(link));
    } catch (error) {
      if (!(error instanceof GatewayRefused)) throw error;
      return this.fetch(client, { ...reference, gatewayOrderId });
    }
  }

  async makeRefund(refund: RefundToMake): Promise<GatewayRefundState> {
    const { key, gatewayPaymentId, amount } = refund;
    const client = await this.client(refund);
    const body = { amount, speed: 'normal', receipt: key } as const;
    const call = () => client.payments.refund(gatewayPaymentId, body);
    return readRefund(await callRazorpay(call, RefundRefused));
  }

  async fetchRefund(reference: RefundReference): Promise<GatewayRefundState | null> {
    const { key, gatewayPaymentId, gatewayRefundId } = reference;
    const client = await this.client(reference);
    if (gatewayRefundId !== null) {
      return readRefund(await callRazorpay(() => client.refunds.fetch(gatewayRefundId)));
    }
    const call = () => client.payments.fetchMultipleRefund(gatewayPaymentId, { count: 100 });
    const { items } = fieldsOf(await callRazorpay(call));
    const made = listOf(items).find(({ receipt }) => receipt === key);
    return made ? readRefund(made) : null;
  }

  async readCallback(callback: ReceivedCallback, account: string | null): Promise<GatewayEvent> {
    const settings = await this.configured.payment(account);
    // Without the secret no signature can be verified.
    if (settings?.kind !== 'razorpay') throw new Fault('invalid_signature');
    verifyWebhook(callback, settings.webhookSecret);
    return readWebhook(callback);
  }

  private linkOf(order: OrderToCreate) {
    // Razorpay refuses a shorter expiry; this service closes the link in time.
    const shortest = this.clock.epochSeconds() + SHORTEST_PAGE_LIFE_MS / 1000;
    return {
      amount: order.amount,
      currency: CURRENCY,
      accept_partial: false,
      reference_id: order.orderId,
      description: order.description.slice(0, LONGEST_DESCRIPTION),
      // Razorpay needs neither PAN nor e-mail address.
      customer: customerOf(order),
      expire_by: Math.max(Math.floor(order.expiresAt.getTime() / 1000), shortest),
      // This service sends its own SMS.
      notify: { sms: false, email: false },
      reminder_enable: false,
      notes: { [ORDER_NOTE]: order.orderId },
      callback_url: order.returnUrl,
      callback_method: 'get',
    };
  }

  private async fetch(
    client: Razorpay,
    reference: OrderReference,
  ): Promise<GatewayOrderState | null> {
    const { gatewayOrderId } = reference;
    if (gatewayOrderId === null) return this.findByReference(client, reference.orderId);
    const link = await callRazorpay(() => client.paymentLink.fetch(gatewayOrderId));
    return this.read(client, fieldsOf(link));
  }

  private async located(client: Razorpay, reference: OrderReference): Promise<OrderReference> {
    if (reference.gatewayOrderId !== null) return reference;
    const state = await this.findByReference(client, reference.orderId);
    return { ...reference, gatewayOrderId: state?.gatewayOrderId ?? null };
  }

  private async findByReference(
    client: Razorpay,
    orderId: string,
  ): Promise<GatewayOrderState | null> {
    const query = { reference_id: orderId, count: 10 };
    const answer = fieldsOf(await callRazorpay(() => client.paymentLink.all(query)));
    const link = listOf(answer.payment_links).find(({ reference_id }) => reference_id === orderId);
    return link ? this.read(client, link) : null;
  }

  private async read(client: Razorpay, link: Fields): Promise<GatewayOrderState> {
    const state = orderStateOf(link);
    if (!state) throw new PaymentsUnavailable('the answer is not a payment link');
    const isPaymentMissing = state.status === 'PAID' && state.payments.length === 0;
    return isPaymentMissing ? this.withPaymentsOfOrder(client, link, state) : state;
  }

  /**
   * Some responses omit a paid link's payments, so they are read from its order. Excludes refunded payments.
   */
  private async withPaymentsOfOrder(
    client: Razorpay,
    link: Fields,
    state: GatewayOrderState,
  ): Promise<GatewayOrderState> {
    const orderId = textOf(link.order_id);
    const call = () => client.orders.fetchPayments(orderId ?? '');
    const answer = orderId === null ? null : await callRazorpay(call);
    const items = listOf(fieldsOf(answer).items);
    const payments = items.flatMap((item) => paymentOf(item) ?? []);
    const wentBack = items.some(({ status }) => status === 'refunded');
    if (payments.length === 0 && !wentBack)
      throw new PaymentsUnavailable('a paid link has no payment');
    return { ...state, payments };
  }

  /** @throws GatewayRefused when the account is not configured for Razorpay */
  private async client({ account }: AccountHolder): Promise<Razorpay> {
    const settings = await this.configured.payment(account);
    if (settings?.kind !== 'razorpay') throw new GatewayRefused('Razorpay is not configured');
    const current = this.clients.get(account);
    if (current?.settings === settings) return current.client;
    const client = razorpayClient(settings);
    this.clients.set(account, { settings, client });
    return client;
  }
}

function readRefund(answer: unknown): GatewayRefundState {
  const state = refundStateOf(fieldsOf(answer));
  if (!state) throw new PaymentsUnavailable('the answer is not a refund');
  return state;
}

function customerOf({ applicant: { name, mobile } }: OrderToCreate) {
  return { ...(CUSTOMER_NAME.test(name) && { name }), contact: `+91${mobile}` };
}
