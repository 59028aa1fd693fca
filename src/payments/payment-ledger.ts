import { Injectable } from '@nestjs/common';
import { Clock, Tx } from '../platform/index.js';
import { PaymentAudit, type PaymentTrigger } from './payment-audit.js';
import { CURRENCY, type GatewayPayment, type GatewayStanding } from './payment-gateway.js';
import { type NewNotice, PaymentInbox } from './payment-inbox.js';
import type { PaymentOrder } from './payment-order.js';
import { canMove, type Closing, isEnded, type PaymentStatus } from './payment-status.js';
import { OperatorFlags } from '../operator-flags/index.js';

/** Who told: the gateway by itself, or when it was asked. */
export type NewsSource = 'CALLBACK' | 'ASKED';

/**
 * Writes down what a gateway says of an order, in the transaction that holds the order's row. Facts
 * only add up: a payment is recorded once, by the gateway's id of it, and the order moves forward
 * only, so callbacks and answers may come in any order and any number of times. Nothing is taken on
 * trust: a payment counts when its amount and currency are the order's own.
 */
@Injectable()
export class PaymentLedger {
  constructor(
    private readonly inbox: PaymentInbox,
    private readonly audit: PaymentAudit,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  /** @returns the order as it is now */
  async apply(
    tx: Tx,
    before: PaymentOrder,
    standing: GatewayStanding,
    source: NewsSource,
  ): Promise<PaymentOrder> {
    let order = await this.learn(tx, before, standing);
    for (const payment of standing.payments) order = await this.take(tx, order, payment, source);
    for (const id of standing.failedPaymentIds)
      order = await this.noteFailure(tx, order, id, source);
    switch (standing.status) {
      case 'OPEN':
        return this.move(tx, order, 'OPEN', 'OPENED', { source });
      case 'FAILED':
        return standing.failedPaymentIds.length > 0
          ? order
          : this.noteFailure(tx, order, null, source);
      case 'EXPIRED':
      case 'CANCELLED':
        return this.end(tx, order, order.closing ?? standing.status, source);
      case 'PAID':
        return order;
    }
  }

  /** Says that an order takes no payment any more; not of one that is paid. */
  async end(
    tx: Tx,
    order: PaymentOrder,
    closing: Closing,
    source: NewsSource,
  ): Promise<PaymentOrder> {
    const ended = await this.move(tx, order, closing, 'CLOSED', { source });
    if (ended.status !== order.status) await this.tell(tx, order, { kind: closing });
    return ended;
  }

  /** The gateway's names for the order, from whichever answer tells them first. */
  private async learn(
    tx: Tx,
    order: PaymentOrder,
    standing: GatewayStanding,
  ): Promise<PaymentOrder> {
    const gatewayOrderId = order.gatewayOrderId ?? standing.gatewayOrderId;
    // Where the details are erased, the page that shows them is forgotten, too.
    const url = order.detailsSealed === null ? null : (order.url ?? standing.url);
    if (gatewayOrderId === order.gatewayOrderId && url === order.url) return order;
    await tx.execute('UPDATE payment_orders SET gateway_order_id = $2, url = $3 WHERE id = $1', [
      order.id,
      gatewayOrderId,
      url,
    ]);
    return { ...order, gatewayOrderId, url };
  }

  private async take(
    tx: Tx,
    order: PaymentOrder,
    payment: GatewayPayment,
    source: NewsSource,
  ): Promise<PaymentOrder> {
    const isCounted = payment.amount === order.amount && payment.currency === CURRENCY;
    const recorded = await tx.query(
      `INSERT INTO payments (partner_id, subject_id, order_id, gateway, gateway_payment_id, amount,
         currency, method, is_counted, source, paid_at, recorded_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, app_now())
       ON CONFLICT (gateway, gateway_payment_id) DO NOTHING RETURNING id`,
      [
        order.partnerId,
        order.subjectId,
        order.id,
        order.gateway,
        payment.id,
        payment.amount,
        payment.currency,
        payment.method,
        isCounted,
        source,
        payment.paidAt,
      ],
    );
    if (recorded.length === 0) return order;
    if (!isCounted) {
      await this.flagDifference(tx, order, payment, source);
      return order;
    }
    const { id: gatewayPaymentId, amount, paidAt: at } = payment;
    await this.tell(tx, order, { kind: 'PAID', gatewayPaymentId, amount, at });
    return this.move(tx, order, 'PAID', 'CAPTURED', { source, gatewayPaymentId });
  }

  private async flagDifference(
    tx: Tx,
    order: PaymentOrder,
    payment: GatewayPayment,
    source: NewsSource,
  ): Promise<void> {
    const { id: gatewayPaymentId, amount, currency } = payment;
    const { partnerId, subjectId, id: orderId, status } = order;
    const detail = { orderId, gatewayPaymentId, amount, currency, ordered: order.amount };
    await this.flags.raise(tx, { partnerId, subjectId, kind: 'PAYMENT_DIFFERS', detail });
    const about = { source, gatewayPaymentId };
    await this.audit.record(tx, order, 'CAPTURED_OTHER_AMOUNT', status, status, about);
  }

  private async noteFailure(
    tx: Tx,
    order: PaymentOrder,
    gatewayPaymentId: string | null,
    source: NewsSource,
  ): Promise<PaymentOrder> {
    // A try that failed beside one that passed, or on a page that is closed, is nobody's business.
    if (isEnded(order.status)) return order;
    const isNew = await this.tell(tx, order, { kind: 'FAILED', gatewayPaymentId });
    if (!isNew) return order;
    return this.move(tx, order, 'FAILED', 'TRY_FAILED', { source, gatewayPaymentId });
  }

  private tell(
    tx: Tx,
    order: PaymentOrder,
    news: Pick<NewNotice, 'kind'> & Partial<NewNotice>,
  ): Promise<boolean> {
    const { partnerId, subjectId, id: orderId } = order;
    const at = this.clock.now();
    const nothing = { gatewayPaymentId: null, amount: null, at };
    return this.inbox.receive(tx, { partnerId, subjectId, orderId, ...nothing, ...news });
  }

  /** One step forward, or nothing when the order is there already or past it. */
  private async move(
    tx: Tx,
    order: PaymentOrder,
    to: PaymentStatus,
    trigger: PaymentTrigger,
    detail: Record<string, unknown>,
  ): Promise<PaymentOrder> {
    if (!canMove(order.status, to)) return order;
    const moved = await tx.query<{ statusAt: Date }>(
      `UPDATE payment_orders SET status = $3, status_at = app_now(), asks = 0
       WHERE id = $1 AND status = $2 RETURNING status_at AS "statusAt"`,
      [order.id, order.status, to],
    );
    if (moved.length === 0) throw new Error(`order ${order.id} moved under its lock`);
    const about = { gatewayOrderId: order.gatewayOrderId, ...detail };
    await this.audit.record(tx, order, trigger, order.status, to, about);
    return { ...order, status: to, statusAt: moved[0].statusAt, asks: 0 };
  }
}
