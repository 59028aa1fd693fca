import { Injectable } from '@nestjs/common';
import { Clock, Database, RandomSource, Tx } from '../platform/index.js';
import { GatewayRefused } from './payment-gateway.js';
import type { FailureStreak, LeasedOrder } from './payment-order.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';
import { isWatchedNoMore, waitAfterFailure } from './payment-schedule.js';
import { OperatorFlags } from '../operator-flags/index.js';

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
