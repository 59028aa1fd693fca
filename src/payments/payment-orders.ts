import { Injectable } from '@nestjs/common';
import { Database, IdGenerator, Tx } from '../platform/index.js';
import { OrderOpening } from './order-opening.js';
import { PaymentAudit } from './store/payment-audit.js';
import { type PaymentPage, PaymentOrderClosed } from './payment-gateway.js';
import { PaymentGateways } from './payment-gateways.js';
import { endOf, type NewPaymentOrder, type OrderOfSubject } from './payment-order.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

/** Where payments are ordered, opened and cancelled: the module's face to those above. */
@Injectable()
export class PaymentOrders {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly orders: PaymentOrdersRepository,
    private readonly opening: OrderOpening,
    private readonly gateways: PaymentGateways,
    private readonly audit: PaymentAudit,
  ) {}

  /** Whether an order for this payee can be made: its money has an account to go into. */
  mayTakeFor(payee: string): Promise<boolean> {
    return this.gateways.mayTakeFor(payee);
  }

  /** On whose page a payee's fee is paid; null when nothing may be taken for it at present. */
  pageFor(payee: string): Promise<PaymentPage | null> {
    return this.gateways.pageFor(payee);
  }

  /** On whose page an order is paid, whatever is configured by now; null as long as no gateway has it. */
  async pageOf(orderId: string): Promise<PaymentPage | null> {
    const order = await this.database.transaction((tx) => this.orders.find(tx, orderId));
    if (!order?.gateway) return null;
    return (await this.gateways.find(order.gateway)?.pageOf(order.account)) ?? null;
  }

  /**
   * Records that a payment is wanted; the gateway is told in the background, or by the first visit.
   * @returns the order's id (`pay_…`)
   * @throws PaymentsUnavailable when nothing may be taken for the payee
   */
  async order(tx: Tx, order: NewPaymentOrder): Promise<string> {
    return this.record(tx, order, await this.gateways.accountOf(order.payee));
  }

  /**
   * The gateway's page for an order, opened now if it is not yet; never inside a transaction. It
   * takes some seconds when the gateway is slow.
   * @throws PaymentsUnavailable when the gateway gives no page at present
   * @throws PaymentOrderClosed when the order is paid, expired or cancelled
   */
  open(orderId: string): Promise<{ url: string }> {
    return this.opening.open(orderId);
  }

  /**
   * What the applicant is to pay after a payment failed: the same order where the gateway's page
   * takes another try, else a fresh one for the same subject, and the old one is cancelled. Asked
   * twice it answers the same.
   * @throws PaymentOrderClosed when the order is paid, or over without a successor
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

  /**
   * Calls an order off, durably: the gateway's page is closed in the background, and is asked first
   * whether it was paid in the last moment, which then counts.
   */
  async cancel(tx: Tx, orderId: string): Promise<void> {
    const order = await this.lock(tx, orderId);
    const isCalledOff = await this.orders.callOff(tx, orderId);
    if (isCalledOff) await this.audit.record(tx, order, 'CALLED_OFF', order.status, order.status);
  }

  /**
   * Whether another order of the same subject may still bring money: its page is not closed yet, or
   * the gateway has yet to say so.
   */
  hasOtherOpen(tx: Tx, order: OrderOfSubject): Promise<boolean> {
    return this.orders.hasOtherOpen(tx, order);
  }

  /** Whether an order has no page at a gateway yet, as far as is known. */
  async isUnopened(tx: Tx, orderId: string): Promise<boolean> {
    return (await this.orders.find(tx, orderId))?.status === 'NEW';
  }

  /** Whether an order takes no payment any more, or is about to take none. */
  async isClosing(tx: Tx, orderId: string): Promise<boolean> {
    const order = await this.orders.find(tx, orderId);
    return order !== null && endOf(order) !== null;
  }

  /** Whether an order is this one, or one that it took the place of after a try that failed. */
  async isTryOf(tx: Tx, orderId: string, current: string): Promise<boolean> {
    let id: string | null = orderId;
    while (id !== null && id !== current) id = (await this.orders.find(tx, id))?.retriedAs ?? null;
    return id !== null;
  }

  /** Has the gateway be asked at once: the applicant came back, say. Their word proves nothing. */
  async askNow(orderId: string): Promise<void> {
    await this.database.transaction((tx) => this.orders.nudge(tx, orderId));
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
