import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../operator-flags/index.js';
import { Clock, Database, RandomSource, Tx } from '../platform/index.js';
import {
  type GatewayKind,
  type GatewayOrderState,
  GatewayRefused,
  PaymentsUnavailable,
} from './payment-gateway.js';
import { PaymentGateways, type PlacedReference } from './payment-gateways.js';
import { PaymentLedger } from './payment-ledger.js';
import {
  endOf,
  type FailureStreak,
  type LeasedOrder,
  SHORTEST_PAGE_LIFE_MS,
} from './payment-order.js';
import { isNoLongerChecked, waitAfterAnswer, waitAfterFailure } from './payment-schedule.js';
import { PaymentAudit } from './store/payment-audit.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

/** Notifies the operator of a refusal, and of a day without answers. */
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
      // Another worker holds the lease.
      if (!streak) return;
      if (this.isHopeless(order, streak)) await this.flagSilence(tx, order, reason, streak);
      const wait = waitAfterFailure(order, streak, this.clock.now(), this.random.fraction());
      await this.orders.release(tx, order, wait);
    });
  }

  private isHopeless(order: LeasedOrder, streak: FailureStreak): boolean {
    if (order.status === 'PAID') return false;
    return streak.isLong || isNoLongerChecked(order, this.clock.now());
  }

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
 * Calls the gateway between transactions. Records each result, but only the lease holder sets the schedule.
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
    // A page opened now would outlive the order.
    const pageLifeMs = order.status === 'NEW' ? SHORTEST_PAGE_LIFE_MS : 0;
    const now = this.clock.now().getTime();
    return endOf(order) !== null || order.expiresAt.getTime() - pageLifeMs <= now;
  }

  private async create(order: LeasedOrder): Promise<GatewayOrderState> {
    const gateway = order.gateway ?? (await this.bound(order));
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

  /** Binds the gateway before the call: after a crash it is known where the page may be. */
  private async bound(order: LeasedOrder): Promise<GatewayKind> {
    const gateway = await this.gateways.current(order.account);
    // The next holder may have closed the order: a page opened now would stay open.
    if (!(await this.orders.bind(order, gateway))) {
      throw new PaymentsUnavailable('the lease has expired');
    }
    return gateway;
  }

  private async ask(order: LeasedOrder): Promise<GatewayOrderState> {
    const state = await this.gateways.fetch(placed(order));
    if (!state) throw new PaymentsUnavailable('the gateway does not know the order');
    return state;
  }

  /** Checks before and after: a last-moment payment counts. */
  private async close(order: LeasedOrder): Promise<PaymentOrder> {
    if (endOf(order) === null) await this.markExpired(order);
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

  private async markExpired(order: LeasedOrder): Promise<void> {
    await this.database.transaction(async (tx) => {
      const isNow = await this.orders.markClosing(tx, order.id, 'EXPIRED');
      if (isNow) await this.audit.record(tx, order, 'TIME_RAN_OUT', order.status, order.status);
    });
  }

  /** @param isClosed whether the gateway's page takes no more payments */
  private async record(
    leased: LeasedOrder,
    state: GatewayOrderState | null,
    isClosed: boolean,
  ): Promise<PaymentOrder> {
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(tx, leased.id);
      if (!order) throw new Error(`there is no payment order ${leased.id}`);
      const updated = state ? await this.ledger.apply(tx, order, state, 'ASKED') : order;
      const now =
        isClosed && updated.closing !== null
          ? await this.ledger.end(tx, updated, updated.closing, 'ASKED')
          : updated;
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
  if (gateway === null) throw new Error(`order ${orderId} was never sent to a gateway`);
  return { orderId, gateway, account, gatewayOrderId };
}
