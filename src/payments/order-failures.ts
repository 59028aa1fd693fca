import { Injectable } from '@nestjs/common';
import { Clock, Database, RandomSource, Tx } from '../platform/index.js';
import { GatewayRefused } from './payment-gateway.js';
import type { FailureStreak, LeasedOrder } from './payment-order.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';
import { isWatchedNoMore, waitAfterFailure } from './payment-schedule.js';
import { OperatorFlags } from '../operator-flags/index.js';

/**
 * What becomes of an order about which its gateway gave no usable answer: it is tried again, and put
 * before the operator when the gateway turned the call down, or has been silent for a day.
 */
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
      // Whoever has the lease by now goes on from here.
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

  /** Once an order: what is wrong is the configuration, and repeating it mends nothing. */
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

  /** Once a silence: an answer ends it. */
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
