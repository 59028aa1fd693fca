import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Clock, Database, RandomSource, Tx } from '../../platform/index.js';
import { GatewayRefused, RefundRefused } from '../payment-gateway.js';
import type { FailureStreak } from '../payment-order.js';
import { PaymentRefundsRepository } from '../store/payment-refunds.repository.js';
import type { LeasedRefund } from '../refund.js';
import { RefundLedger } from './refund-ledger.js';
import { isRefusedForGood, waitAfterFailedCall } from './refund-schedule.js';

/** The operator is notified of a refusal, and of a day's silence. A week of refusals of the refund itself fails it. */
@Injectable()
export class RefundFailures {
  constructor(
    private readonly database: Database,
    private readonly refunds: PaymentRefundsRepository,
    private readonly ledger: RefundLedger,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
    private readonly random: RandomSource,
  ) {}

  async record(leased: LeasedRefund, error: unknown): Promise<void> {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
    const isRefused = error instanceof GatewayRefused;
    await this.database.transaction(async (tx) => {
      const isTurnedDown = error instanceof RefundRefused;
      const failure = { reason, isRefused: isTurnedDown };
      const streak = await this.refunds.noteFailure(tx, leased, failure);
      // Another holder has the lease.
      if (!streak) return;
      if (isRefused) await this.flag(tx, leased, 'GATEWAY_REFUSED', { reason }, isTurnedDown);
      else if (streak.isLong) await this.flag(tx, leased, 'GATEWAY_SILENT', { reason, ...streak });
      const wait = waitAfterFailedCall(streak.failures, this.random.fraction());
      await this.refunds.release(tx, leased, wait);
      const { refusedSince } = streak;
      if (refusedSince && isRefusedForGood(refusedSince, this.clock.now())) {
        await this.giveUp(tx, leased);
      }
    });
  }

  private async giveUp(tx: Tx, { id }: LeasedRefund): Promise<void> {
    const refund = await this.refunds.lock(tx, id);
    if (!refund) throw new Error(`there is no refund ${id}`);
    // A callback may have said meanwhile that it is on its way.
    if (refund.status !== 'REQUESTED') return;
    const { gatewayRefundId } = refund;
    await this.ledger.fail(tx, refund, { source: 'ASKED', gatewayRefundId });
  }

  private async flag(
    tx: Tx,
    refund: LeasedRefund,
    kind: 'GATEWAY_REFUSED' | 'GATEWAY_SILENT',
    facts: { readonly reason: string } & Partial<FailureStreak>,
    isTurnedDown = false,
  ): Promise<void> {
    const { partnerId, subjectId, id: refundId, orderId, gateway } = refund;
    const detail = { orderId, refundId, gateway, ...facts };
    // The refund itself may be refused after a wrong key was.
    const cause = isTurnedDown ? [refundId, 'REFUND'] : [refundId];
    await this.flags.raise(tx, { partnerId, subjectId, kind, cause, detail });
  }
}
