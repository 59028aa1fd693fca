import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../operator-flags/index.js';
import { Clock, Tx } from '../platform/index.js';
import {
  CURRENCY,
  type GatewayKind,
  type GatewayPayment,
  type GatewayOrderState,
} from './payment-gateway.js';
import { canMove, type Closing, isEnded, type PaymentStatus } from './payment-status.js';
import { Refunds } from './refunds/refunds.js';
import { PaymentAudit } from './store/payment-audit.js';
import type { PaymentTrigger } from './store/payment-audit.entity.js';
import { type NewNotice, PaymentInbox } from './store/payment-inbox.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';
import type { NoticeSource } from './store/payment.entity.js';
import { PaymentsRepository } from './store/payments.repository.js';

/**
 * The caller holds the order's row lock. Reports may repeat and arrive in any order, so each payment is recorded once
 * by its gateway id.
 */
@Injectable()
export class PaymentLedger {
  constructor(
    private readonly orders: PaymentOrdersRepository,
    private readonly payments: PaymentsRepository,
    private readonly inbox: PaymentInbox,
    private readonly refunds: Refunds,
    private readonly audit: PaymentAudit,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  async apply(
    tx: Tx,
    before: PaymentOrder,
    state: GatewayOrderState,
    source: NoticeSource,
  ): Promise<PaymentOrder> {
    let order = await this.learn(tx, before, state);
    for (const payment of state.payments) order = await this.take(tx, order, payment, source);
    for (const id of state.failedPaymentIds) order = await this.noteFailure(tx, order, id, source);
    switch (state.status) {
      case 'OPEN':
        return this.move(tx, order, 'OPEN', 'OPENED', { source });
      case 'FAILED':
        return state.failedPaymentIds.length > 0
          ? order
          : this.noteFailure(tx, order, null, source);
      case 'EXPIRED':
      case 'CANCELLED':
        return this.end(tx, order, order.closing ?? state.status, source);
      case 'PAID':
        return order;
    }
  }

  /** For unpaid orders only. */
  async end(
    tx: Tx,
    order: PaymentOrder,
    closing: Closing,
    source: NoticeSource,
  ): Promise<PaymentOrder> {
    const ended = await this.move(tx, order, closing, 'CLOSED', { source });
    if (ended.status !== order.status) await this.notify(tx, order, { kind: closing });
    return ended;
  }

  private async learn(
    tx: Tx,
    order: PaymentOrder,
    state: GatewayOrderState,
  ): Promise<PaymentOrder> {
    const gatewayOrderId = order.gatewayOrderId ?? state.gatewayOrderId;
    // Erasure also deletes the page's address.
    const url = order.detailsSealed === null ? null : (order.url ?? state.url);
    if (gatewayOrderId === order.gatewayOrderId && url === order.url) return order;
    return this.orders.learn(tx, order.id, { gatewayOrderId, url });
  }

  private async take(
    tx: Tx,
    order: PaymentOrder,
    payment: GatewayPayment,
    source: NoticeSource,
  ): Promise<PaymentOrder> {
    const isCounted = payment.amount === order.amount && payment.currency === CURRENCY;
    const { id: gatewayPaymentId, amount, currency, method, paidAt } = payment;
    const isFirst = await this.payments.record(tx, {
      partnerId: order.partnerId,
      subjectId: order.subjectId,
      orderId: order.id,
      gateway: gatewayOf(order),
      gatewayPaymentId,
      amount,
      currency,
      method,
      isCounted,
      source,
      paidAt,
    });
    if (!isFirst) {
      await this.flagOther(tx, order, gatewayPaymentId);
      return order;
    }
    if (!isCounted) {
      await this.refundOther(tx, order, payment, source);
      return order;
    }
    await this.notify(tx, order, { kind: 'PAID', gatewayPaymentId, amount, at: paidAt });
    const about = { source, gatewayPaymentId, amount, currency };
    if (canMove(order.status, 'PAID')) return this.move(tx, order, 'PAID', 'CAPTURED', about);
    // A second payment of a paid order is audited, too.
    const { status, gatewayOrderId } = order;
    await this.audit.record(tx, order, 'CAPTURED', status, status, { gatewayOrderId, ...about });
    return order;
  }

  /**
   * Another account may report the same payment id. Its payment is not recorded, so it does not count.
   */
  private async flagOther(tx: Tx, order: PaymentOrder, gatewayPaymentId: string): Promise<void> {
    const known = await this.payments.findByGatewayId(tx, gatewayOf(order), gatewayPaymentId);
    if (known?.orderId === order.id) return;
    const { partnerId, subjectId, id: orderId, account } = order;
    const detail = { gatewayPaymentId, orderId, account, recordedFor: known?.orderId };
    const cause = [orderId, gatewayPaymentId];
    await this.flags.raise(tx, { partnerId, subjectId, kind: 'PAYMENT_ID_TWICE', cause, detail });
  }

  private async refundOther(
    tx: Tx,
    order: PaymentOrder,
    payment: GatewayPayment,
    source: NoticeSource,
  ): Promise<void> {
    const { id: gatewayPaymentId, amount, currency } = payment;
    const { partnerId, subjectId, id: orderId, status } = order;
    const detail = { orderId, gatewayPaymentId, amount, currency, ordered: order.amount };
    const cause = [orderId, gatewayPaymentId];
    await this.flags.raise(tx, { partnerId, subjectId, kind: 'PAYMENT_DIFFERS', cause, detail });
    const about = { source, gatewayPaymentId, amount, currency };
    await this.audit.record(tx, order, 'CAPTURED_OTHER_AMOUNT', status, status, about);
    const refund = { partnerId, orderId, gatewayPaymentId, reason: 'OTHER_AMOUNT' as const };
    await this.refunds.request(tx, refund);
  }

  private async noteFailure(
    tx: Tx,
    order: PaymentOrder,
    gatewayPaymentId: string | null,
    source: NoticeSource,
  ): Promise<PaymentOrder> {
    if (isEnded(order.status)) return order;
    const isNew = await this.notify(tx, order, { kind: 'FAILED', gatewayPaymentId });
    if (!isNew) return order;
    return this.move(tx, order, 'FAILED', 'TRY_FAILED', { source, gatewayPaymentId });
  }

  private notify(
    tx: Tx,
    order: PaymentOrder,
    news: Pick<NewNotice, 'kind'> & Partial<NewNotice>,
  ): Promise<boolean> {
    const { partnerId, subjectId, id: orderId } = order;
    const at = this.clock.now();
    const nothing = { gatewayPaymentId: null, amount: null, at };
    return this.inbox.receive(tx, { partnerId, subjectId, orderId, ...nothing, ...news });
  }

  private async move(
    tx: Tx,
    order: PaymentOrder,
    to: PaymentStatus,
    trigger: PaymentTrigger,
    detail: Record<string, unknown>,
  ): Promise<PaymentOrder> {
    if (!canMove(order.status, to)) return order;
    const moved = await this.orders.move(tx, order, to);
    if (!moved) throw new Error(`order ${order.id} changed status under its lock`);
    const about = { gatewayOrderId: order.gatewayOrderId, ...detail };
    await this.audit.record(tx, order, trigger, order.status, to, about);
    return moved;
  }
}

function gatewayOf({ id, gateway }: PaymentOrder): GatewayKind {
  if (gateway === null) throw new Error(`order ${id} was never sent to a gateway`);
  return gateway;
}
