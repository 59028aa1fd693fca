import { Inject, Injectable } from '@nestjs/common';
import type {
  GatewayEvent,
  GatewayOrderState,
  OrderReference,
  OrderToCreate,
  PaymentGateway,
  ReceivedCallback,
} from '../payments/index.js';
import { ENVIRONMENT, type Environment, Keyring } from '../platform/index.js';
import { readCallback, orderStateOf } from './payment-callback.js';
import { type SandboxPayment, SandboxPayments } from './sandbox-payments.js';

/**
 * The sandbox's payment gateway, with a page of its own. It takes one payment an order: after one
 * that failed a fresh order is needed, as with gateways that have no lasting link.
 */
@Injectable()
export class SandboxPaymentGateway implements PaymentGateway {
  readonly kind = 'sandbox';
  readonly takesPaymentsAfterFailure = false;

  constructor(
    private readonly payments: SandboxPayments,
    private readonly keyring: Keyring,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async createOrder(order: OrderToCreate): Promise<GatewayOrderState> {
    await this.payments.open(order);
    const state = await this.fetchOrder({ orderId: order.orderId, gatewayOrderId: null });
    if (!state) throw new Error('an order that was just opened is gone');
    return state;
  }

  async fetchOrder({ orderId }: OrderReference): Promise<GatewayOrderState | null> {
    const payment = await this.payments.find(orderId);
    return payment && orderStateOf(payment, this.urlOf(payment));
  }

  async cancelOrder(reference: OrderReference): Promise<GatewayOrderState | null> {
    await this.payments.cancel(reference.orderId);
    return this.fetchOrder(reference);
  }

  async readCallback(callback: ReceivedCallback): Promise<GatewayEvent> {
    return Promise.resolve(readCallback(callback, this.keyring));
  }

  urlOf({ orderId }: SandboxPayment): string {
    return `${this.environment.baseUrl}/sandbox/payment/${this.payments.tokenOf(orderId)}`;
  }
}
