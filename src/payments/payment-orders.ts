import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type LoanKey, type PersonalDataHolder, PersonalDataRegistry } from '../erasure/index.js';
import { Database, IdGenerator, Tx } from '../platform/index.js';
import { OrderProcessing } from './order-processing.js';
import { PaymentOrderClosed, type PaymentPage, PaymentsUnavailable } from './payment-gateway.js';
import { PaymentGateways } from './payment-gateways.js';
import { endOf, type NewPaymentOrder } from './payment-order.js';
import { PaymentAudit } from './store/payment-audit.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

/** Longer than the gateway's deadline. */
const MAX_WAIT_MS = 14_000;
const CHECK_EVERY_MS = 150;

@Injectable()
export class PaymentOrders {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly orders: PaymentOrdersRepository,
    private readonly processing: OrderProcessing,
    private readonly gateways: PaymentGateways,
    private readonly audit: PaymentAudit,
  ) {}

  mayTakeFor(payee: string): Promise<boolean> {
    return this.gateways.mayTakeFor(payee);
  }

  /** Null when the payee has no usable account. */
  pageFor(payee: string): Promise<PaymentPage | null> {
    return this.gateways.pageFor(payee);
  }

  /** Null while the order has no gateway. */
  async pageOf(orderId: string): Promise<PaymentPage | null> {
    const order = await this.database.transaction((tx) => this.orders.find(tx, orderId));
    if (!order?.gateway) return null;
    return (await this.gateways.find(order.gateway)?.pageOf(order.account)) ?? null;
  }

  /**
   * Durable; the background or the first visit calls the gateway.
   * @returns the order's id (`pay_…`)
   * @throws PaymentsUnavailable when the payee has no usable account
   */
  async order(tx: Tx, order: NewPaymentOrder): Promise<string> {
    return this.record(tx, order, await this.gateways.accountOf(order.payee));
  }

  /**
   * May take seconds; never call it inside a transaction.
   * @throws PaymentsUnavailable
   * @throws PaymentOrderClosed when it is paid, expired or cancelled
   */
  async open(orderId: string): Promise<{ url: string }> {
    const waitUntil = performance.now() + MAX_WAIT_MS;
    do {
      const url = await this.openOrRead(orderId);
      if (url !== null) return { url };
      await sleep(CHECK_EVERY_MS);
    } while (performance.now() < waitUntil);
    throw new PaymentsUnavailable('the payment page is not open yet');
  }

  /**
   * Reuses the order if its page allows another attempt, else creates another. Idempotent.
   * @throws PaymentOrderClosed when it is paid, or ended without a successor
   */
  async retry(tx: Tx, orderId: string): Promise<string> {
    const order = await this.lock(tx, orderId);
    if (order.retriedAs !== null) return order.retriedAs;
    const over = endOf(order);
    if (over) throw new PaymentOrderClosed(over);
    if (order.status !== 'FAILED' || this.gateways.takesPaymentsAfterFailure(order))
      return order.id;
    const { partnerId, subjectId, amount, expiresAt, account } = order;
    const about = { partnerId, subjectId, amount, expiresAt, ...this.orders.detailsOf(order) };
    const fresh = await this.record(tx, about, account);
    await this.orders.markRetried(tx, order.id, fresh);
    await this.cancel(tx, order.id);
    return fresh;
  }

  /** Durable; the background closes the page. A last-moment payment counts. */
  async cancel(tx: Tx, orderId: string): Promise<void> {
    const order = await this.lock(tx, orderId);
    const isCalledOff = await this.orders.callOff(tx, orderId);
    if (isCalledOff) await this.audit.record(tx, order, 'CALLED_OFF', order.status, order.status);
  }

  unendedOf(tx: Tx, { partnerId, id }: { partnerId: string; id: string }): Promise<string[]> {
    return this.orders.unendedOf(tx, partnerId, id);
  }

  async isUnopened(tx: Tx, orderId: string): Promise<boolean> {
    return (await this.orders.find(tx, orderId))?.status === 'NEW';
  }

  /** Whether `orderId` is the current order or one that it replaced. */
  async isAttemptOf(tx: Tx, orderId: string, current: string): Promise<boolean> {
    let id: string | null = orderId;
    while (id !== null && id !== current) id = (await this.orders.find(tx, id))?.retriedAs ?? null;
    return id !== null;
  }

  /** The applicant's return proves no payment, so the gateway is asked. */
  async askNow(orderId: string): Promise<void> {
    await this.database.transaction((tx) => this.orders.nudge(tx, orderId));
  }

  /** Null while another visit opens it: concurrent visits share one call. */
  private async openOrRead(orderId: string): Promise<string | null> {
    const known = await this.database.transaction((tx) => this.orders.find(tx, orderId));
    if (!known) throw new Error(`there is no payment order ${orderId}`);
    const url = urlOf(known);
    if (url !== null) return url;
    const leased = await this.orders.claimOne(orderId);
    if (!leased) return null;
    return urlOf(await this.processing.process(leased));
  }

  private async record(
    tx: Tx,
    order: Omit<NewPaymentOrder, 'payee'>,
    account: string | null,
  ): Promise<string> {
    const id = this.ids.next('pay');
    await this.orders.insert(tx, id, order, account);
    const about = { amount: order.amount, account };
    await this.audit.record(tx, { ...order, id }, 'ORDERED', null, 'NEW', about);
    return id;
  }

  private async lock(tx: Tx, orderId: string): Promise<PaymentOrder> {
    const order = await this.orders.lock(tx, orderId);
    if (!order) throw new Error(`there is no payment order ${orderId}`);
    return order;
  }
}

function urlOf(order: PaymentOrder): string | null {
  const over = endOf(order);
  if (over) throw new PaymentOrderClosed(over);
  return order.url;
}

@Injectable()
export class PaymentPersonalData implements PersonalDataHolder {
  readonly order = 4;
  readonly personalColumns = PaymentOrdersRepository.PERSONAL_COLUMNS;

  constructor(
    registry: PersonalDataRegistry,
    private readonly orders: PaymentOrders,
    private readonly records: PaymentOrdersRepository,
  ) {
    registry.registerRecords(this);
  }

  /** Keeps amounts and gateway ids, so that payments can be matched. */
  async erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    for (const orderId of await this.records.unendedOf(tx, partnerId, id)) {
      await this.orders.cancel(tx, orderId);
    }
    return this.records.eraseDetails(tx, partnerId, id);
  }
}
