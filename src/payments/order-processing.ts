import { Injectable } from '@nestjs/common';
import { Clock, Database, RandomSource, Tx } from '../platform/index.js';
import { OrderFailures } from './order-failures.js';
import { PaymentAudit } from './store/payment-audit.js';
import { type GatewayOrderState, PaymentsUnavailable } from './payment-gateway.js';
import { PaymentGateways, type PlacedReference } from './payment-gateways.js';
import { PaymentLedger } from './payment-ledger.js';
import { endOf, type LeasedOrder, SHORTEST_PAGE_LIFE_MS } from './payment-order.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';
import { waitAfterAnswer } from './payment-schedule.js';

/**
 * Does for one order, under its lease, what is due: has the page opened, asks how it stands, or has
 * it closed. The call is made between transactions, and whatever it tells is recorded, even when the
 * lease has run out meanwhile; only the schedule is the lease holder's.
 */
@Injectable()
export class OrderProcessing {
  constructor(
    private readonly database: Database,
    private readonly orders: PaymentOrdersRepository,
    private readonly gateways: PaymentGateways,
    private readonly ledger: PaymentLedger,
    private readonly audit: PaymentAudit,
    private readonly failures: OrderFailures,
    private readonly clock: Clock,
    private readonly random: RandomSource,
  ) {}

  /**
   * @returns the order as it is afterwards
   * @throws PaymentsUnavailable after the failure is recorded and the next try is set
   */
  async process(order: LeasedOrder): Promise<PaymentOrder> {
    try {
      if (this.isOver(order)) return await this.close(order);
      const state = order.status === 'NEW' ? await this.create(order) : await this.ask(order);
      return await this.record(order, state, false);
    } catch (error) {
      await this.failures.record(order, error);
      throw error;
    }
  }

  private isOver(order: LeasedOrder): boolean {
    // Of an order without a page it is over as soon as a page would outlive it.
    const pageLifeMs = order.status === 'NEW' ? SHORTEST_PAGE_LIFE_MS : 0;
    const now = this.clock.now().getTime();
    return endOf(order) !== null || order.expiresAt.getTime() - pageLifeMs <= now;
  }

  /** The gateway is recorded first: should we be killed, it is known where the page may be. */
  private async create(order: LeasedOrder): Promise<GatewayOrderState> {
    const gateway = order.gateway ?? (await this.gateways.current(order.account));
    if (order.gateway === null) await this.orders.bind(order, gateway);
    const { id: orderId, partnerId, subjectId, amount, account, expiresAt } = order;
    const details = this.orders.detailsOf(order);
    return this.gateways.create(gateway, {
      orderId,
      partnerId,
      subjectId,
      amount,
      account,
      expiresAt,
      ...details,
    });
  }

  private async ask(order: LeasedOrder): Promise<GatewayOrderState> {
    const state = await this.gateways.fetch(placed(order));
    if (!state) throw new PaymentsUnavailable('the gateway does not know the order');
    return state;
  }

  /** Paid in the last moment wins: the gateway is asked before and after its page is closed. */
  private async close(order: LeasedOrder): Promise<PaymentOrder> {
    if (endOf(order) === null) await this.markTimeRanOut(order);
    // A gateway that was never told of the order has no page to close.
    let state = order.gateway === null ? null : await this.gateways.fetch(placed(order));
    if (state && this.isPayable(order, state)) {
      state = await this.gateways.cancel(placed(order));
    }
    if (state && this.isPayable(order, state)) {
      throw new PaymentsUnavailable('the gateway keeps the page open');
    }
    return this.record(order, state, true);
  }

  private isPayable(order: LeasedOrder, { status }: GatewayOrderState): boolean {
    if (status === 'FAILED') return this.gateways.takesPaymentsAfterFailure(order);
    return status === 'OPEN';
  }

  private async markTimeRanOut(order: LeasedOrder): Promise<void> {
    await this.database.transaction(async (tx) => {
      const isNow = await this.orders.markClosing(tx, order.id, 'EXPIRED');
      if (isNow) await this.audit.record(tx, order, 'TIME_RAN_OUT', order.status, order.status);
    });
  }

  /** @param isClosed whether it has no open page: it may be called off while one is just being opened */
  private async record(
    leased: LeasedOrder,
    state: GatewayOrderState | null,
    isClosed: boolean,
  ): Promise<PaymentOrder> {
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(tx, leased.id);
      if (!order) throw new Error(`there is no payment order ${leased.id}`);
      const told = state ? await this.ledger.apply(tx, order, state, 'ASKED') : order;
      const now =
        isClosed && told.closing !== null
          ? await this.ledger.end(tx, told, told.closing, 'ASKED')
          : told;
      await this.schedule(tx, leased, now);
      return now;
    });
  }

  private async schedule(tx: Tx, leased: LeasedOrder, order: PaymentOrder): Promise<void> {
    await this.orders.noteAnswer(tx, leased);
    const wait = waitAfterAnswer(order, this.clock.now(), this.random.fraction());
    await this.orders.release(tx, leased, wait);
  }
}

function placed(order: LeasedOrder): PlacedReference {
  const { id: orderId, gateway, account, gatewayOrderId } = order;
  if (gateway === null) throw new Error(`no gateway was told of order ${orderId}`);
  return { orderId, gateway, account, gatewayOrderId };
}
