import { Injectable } from '@nestjs/common';
import type {
  GatewayEvent,
  GatewayOrderState,
  GatewayRefundState,
  OrderReference,
  OrderToCreate,
  PaymentGateway,
  PaymentPage,
  ReceivedCallback,
  RefundReference,
  RefundToMake,
} from '../payments/index.js';
import { GatewayRefused } from '../payments/index.js';
import { type Environment, InjectEnvironment, Keyring } from '../platform/index.js';
import { readCallback, orderStateOf, refundStateOf } from './payment-callback.js';
import { SANDBOX_GATEWAY_NAME, type SandboxPayment, SandboxPayments } from './sandbox-payments.js';

/** An order allows one payment attempt, as with gateways without a lasting link. */
@Injectable()
export class SandboxPaymentGateway implements PaymentGateway {
  readonly kind = 'sandbox';
  readonly takesPaymentsAfterFailure = false;

  constructor(
    private readonly payments: SandboxPayments,
    private readonly keyring: Keyring,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  async pageOf(): Promise<PaymentPage> {
    const { host } = new URL(this.environment.baseUrl);
    return Promise.resolve({ name: SANDBOX_GATEWAY_NAME, host });
  }

  async createOrder(order: OrderToCreate): Promise<GatewayOrderState> {
    await this.payments.open(order);
    const state = await this.fetchOrder(order);
    if (!state) throw new Error('a new order has disappeared');
    return state;
  }

  async fetchOrder({
    orderId,
  }: Pick<OrderReference, 'orderId'>): Promise<GatewayOrderState | null> {
    const payment = await this.payments.find(orderId);
    return payment && orderStateOf(payment, this.urlOf(payment));
  }

  async cancelOrder(reference: OrderReference): Promise<GatewayOrderState | null> {
    await this.payments.cancel(reference.orderId);
    return this.fetchOrder(reference);
  }

  async makeRefund(refund: RefundToMake): Promise<GatewayRefundState> {
    await this.payments.refund(refund);
    const state = await this.fetchRefund(refund);
    if (!state) throw new GatewayRefused('the payment cannot be refunded');
    return state;
  }

  async fetchRefund({ orderId, key }: RefundReference): Promise<GatewayRefundState | null> {
    const payment = await this.payments.find(orderId);
    const state = payment && refundStateOf(payment);
    return state?.key === key ? state : null;
  }

  async readCallback(callback: ReceivedCallback): Promise<GatewayEvent> {
    return Promise.resolve(readCallback(callback, this.keyring));
  }

  urlOf({ orderId }: SandboxPayment): string {
    return `${this.environment.baseUrl}/sandbox/payment/${this.payments.tokenOf(orderId)}`;
  }
}
