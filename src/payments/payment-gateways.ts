import { Inject, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { type Environment, InjectEnvironment, Metrics, within } from '../platform/index.js';
import { ConfiguredGateways } from '../settings/index.js';
import {
  type GatewayKind,
  type GatewayOrderState,
  type GatewayRefundState,
  GatewayRefused,
  type OrderReference,
  type OrderToCreate,
  PAYMENT_GATEWAYS,
  type PaymentGateway,
  type PaymentPage,
  PaymentsUnavailable,
  type RefundReference,
  type RefundToMake,
} from './payment-gateway.js';

@Injectable()
export class PaymentMetrics {
  readonly gatewayCalls: Counter<'gateway' | 'call' | 'outcome'>;
  readonly refunds: Counter<'reason' | 'status'>;

  constructor(metrics: Metrics) {
    this.gatewayCalls = metrics.counter(
      'payment_gateway_calls_total',
      'Calls to a payment gateway, by gateway, call and outcome',
      ['gateway', 'call', 'outcome'],
    );
    this.refunds = metrics.counter(
      'payment_refunds_total',
      'Refunds that entered a status, by reason and status',
      ['reason', 'status'],
    );
  }
}

export const PAYMENT_CALL_MS = 12_000;
const NO_ACCOUNT = 'the lender no longer has a payment account';

export interface PlacedReference extends OrderReference {
  readonly gateway: GatewayKind;
}

/**
 * Limits each call's time and turns every failure into `PaymentsUnavailable`. Never call it inside a transaction.
 */
@Injectable()
export class PaymentGateways {
  private readonly gateways: ReadonlyMap<string, PaymentGateway>;

  constructor(
    private readonly configured: ConfiguredGateways,
    private readonly metrics: PaymentMetrics,
    @Inject(PAYMENT_GATEWAYS) gateways: readonly PaymentGateway[],
    @InjectEnvironment private readonly environment: Environment,
  ) {
    this.gateways = new Map(gateways.map((gateway) => [gateway.kind, gateway]));
  }

  find(kind: string): PaymentGateway | null {
    return this.gateways.get(kind) ?? null;
  }

  /** @throws PaymentsUnavailable when no configuration was applied */
  async current(account: string | null): Promise<GatewayKind> {
    const settings = await this.configured.payment(account).catch((error: unknown) => {
      throw new PaymentsUnavailable('no payment gateway is configured', { cause: error });
    });
    if (!settings) throw new GatewayRefused(NO_ACCOUNT);
    return settings.kind;
  }

  /** In production a lender's fees go only to its own account. */
  async mayTakeFor(lenderCode: string): Promise<boolean> {
    return this.environment.mode !== 'production' || this.hasAccount(lenderCode);
  }

  /**
   * @returns null for the operator's account
   * @throws PaymentsUnavailable when the lender has no usable account
   */
  async accountOf(lenderCode: string): Promise<string | null> {
    if (await this.hasAccount(lenderCode)) return lenderCode;
    if (this.environment.mode === 'production') throw new PaymentsUnavailable(NO_ACCOUNT);
    return null;
  }

  /** @returns null when the lender has no usable account */
  async pageFor(lenderCode: string): Promise<PaymentPage | null> {
    try {
      const account = await this.accountOf(lenderCode);
      return (await this.find(await this.current(account))?.pageOf(account)) ?? null;
    } catch (error) {
      if (error instanceof PaymentsUnavailable) return null;
      throw error;
    }
  }

  takesPaymentsAfterFailure({ gateway }: { gateway: GatewayKind | null }): boolean {
    return gateway !== null && (this.find(gateway)?.takesPaymentsAfterFailure ?? false);
  }

  create(kind: GatewayKind, order: OrderToCreate): Promise<GatewayOrderState> {
    return this.call(kind, 'CREATE', (gateway) => gateway.createOrder(order));
  }

  fetch(order: PlacedReference): Promise<GatewayOrderState | null> {
    return this.call(order.gateway, 'FETCH', (gateway) => gateway.fetchOrder(order));
  }

  cancel(order: PlacedReference): Promise<GatewayOrderState | null> {
    return this.call(order.gateway, 'CANCEL', (gateway) => gateway.cancelOrder(order));
  }

  makeRefund(kind: GatewayKind, refund: RefundToMake): Promise<GatewayRefundState> {
    return this.call(kind, 'REFUND', (gateway) => gateway.makeRefund(refund));
  }

  fetchRefund(kind: GatewayKind, refund: RefundReference): Promise<GatewayRefundState | null> {
    return this.call(kind, 'FETCH_REFUND', (gateway) => gateway.fetchRefund(refund));
  }

  private async hasAccount(lenderCode: string): Promise<boolean> {
    return (await this.configured.payment(lenderCode)) !== null;
  }

  private async call<Answer>(
    kind: GatewayKind,
    call: string,
    put: (gateway: PaymentGateway) => Promise<Answer>,
  ): Promise<Answer> {
    const gateway = this.find(kind);
    if (!gateway) throw new GatewayRefused(`no adapter for ${kind}`);
    const count = (outcome: string) =>
      this.metrics.gatewayCalls.inc({ gateway: kind, call, outcome });
    try {
      const answer = await within(PAYMENT_CALL_MS, put(gateway), noAnswer);
      count('answered');
      return answer;
    } catch (error) {
      count(error instanceof GatewayRefused ? 'refused' : 'unavailable');
      if (error instanceof PaymentsUnavailable) throw error;
      throw new PaymentsUnavailable('the call failed', { cause: error });
    }
  }
}

function noAnswer(): never {
  throw new PaymentsUnavailable('no answer in time');
}
