import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../operator-flags/index.js';
import { Clock, Database, RandomSource, Tx } from '../platform/index.js';
import { type GatewayOrderState, GatewayRefused, PaymentsUnavailable } from './payment-gateway.js';
import { PaymentGateways, type PlacedReference } from './payment-gateways.js';
import { PaymentLedger } from './payment-ledger.js';
import {
  endOf,
  type FailureStreak,
  type LeasedOrder,
  SHORTEST_PAGE_LIFE_MS,
} from './payment-order.js';
import { isWatchedNoMore, waitAfterAnswer, waitAfterFailure } from './payment-schedule.js';
import { PaymentAudit } from './store/payment-audit.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

/** The operator is notified of a refusal, and of a day's silence. */
@Injectable()
export class OrderFailures {
  constructor(
    private readonly database: Database,
    private readonly orders: PaymentOrdersRepository,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
    private readonly random: RandomSource,
  ) {}

  async record(order: LeasedOrder, error: unknown): Promise<void> {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
    await this.database.transaction(async (tx) => {
      const streak = await this.orders.noteFailure(tx, order, reason);
      if (error instanceof GatewayRefused) await this.flagRefusal(tx, order, reason);
      // Another holder has the lease.
      if (!streak) return;
      if (this.isHopeless(order, streak)) await this.flagSilence(tx, order, reason, streak);
      const wait = waitAfterFailure(order, streak, this.clock.now(), this.random.fraction());
      await this.orders.release(tx, order, wait);
    });
  }

  private isHopeless(order: LeasedOrder, streak: FailureStreak): boolean {
    if (order.status === 'PAID') return false;
    return streak.isLong || isWatchedNoMore(order, this.clock.now());
  }

  /** Once an order: a repeated flag fixes no configuration. */
  private async flagRefusal(tx: Tx, order: LeasedOrder, reason: string): Promise<void> {
    if (!(await this.orders.markRefused(tx, order.id))) return;
    const { partnerId, subjectId, id: orderId, gateway } = order;
    const detail = { orderId, gateway, reason };
    await this.flags.raise(tx, {
      partnerId,
      subjectId,
      kind: 'GATEWAY_REFUSED',
      cause: [orderId],
      detail,
    });
  }

  private async flagSilence(
    tx: Tx,
    order: LeasedOrder,
    reason: string,
    { since, failures }: FailureStreak,
  ): Promise<void> {
    if (!(await this.orders.markSilent(tx, order.id))) return;
    const { partnerId, subjectId, id: orderId, gateway, status } = order;
    const detail = { orderId, gateway, status, reason, since, failures };
    await this.flags.raise(tx, {
      partnerId,
      subjectId,
      kind: 'GATEWAY_SILENT',
      cause: [orderId],
      detail,
    });
  }
}

/**
 * Opens, checks or closes an order's page under its lease, calling between transactions. The result is recorded even
 * after the lease has expired, the schedule is not.
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

  /** @throws PaymentsUnavailable after recording the failure */
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
    // An order without a page ends as soon as a page would outlive it.
    const pageLifeMs = order.status === 'NEW' ? SHORTEST_PAGE_LIFE_MS : 0;
    const now = this.clock.now().getTime();
    return endOf(order) !== null || order.expiresAt.getTime() - pageLifeMs <= now;
  }

  /** Recorded first: after a crash it is known where the page may be. */
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

  /** Asks before and after: a last-moment payment wins. */
  private async close(order: LeasedOrder): Promise<PaymentOrder> {
    if (endOf(order) === null) await this.markTimeRanOut(order);
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

  /** @param isClosed whether no page is open; one may just be opening */
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
