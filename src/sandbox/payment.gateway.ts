import { Inject, Injectable } from '@nestjs/common';
import type {
  GatewayEvent,
  GatewayStanding,
  OrderReference,
  OrderToCreate,
  PaymentGateway,
  ReceivedCallback,
} from '../payments/index.js';
import { ENVIRONMENT, type Environment, Keyring } from '../platform/index.js';
import { readCallback, standingOf } from './payment-callback.js';
import { type SandboxPayment, SandboxPayments } from './payment-records.js';

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

  async createOrder(order: OrderToCreate): Promise<GatewayStanding> {
    await this.payments.open(order);
    const standing = await this.fetchOrder({ orderId: order.orderId, gatewayOrderId: null });
    if (!standing) throw new Error('an order that was just opened is gone');
    return standing;
  }

  async fetchOrder({ orderId }: OrderReference): Promise<GatewayStanding | null> {
    const payment = await this.payments.find(orderId);
    return payment && standingOf(payment, this.urlOf(payment));
  }

  async cancelOrder(reference: OrderReference): Promise<GatewayStanding | null> {
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
