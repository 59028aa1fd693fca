import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Clock, Database, RandomSource, Tx } from '../../platform/index.js';
import {
  type GatewayRefundState,
  GatewayRefused,
  PaymentsUnavailable,
  RefundRefused,
} from '../payment-gateway.js';
import { PaymentGateways } from '../payment-gateways.js';
import { type FailureStreak, isAbout, type LeasedRefund, referenceOf } from '../payment-order.js';
import type { PaymentRefund } from '../store/payment-refund.entity.js';
import { PaymentRefundsRepository } from '../store/payment-refunds.repository.js';
import { RefundLedger } from './refund-ledger.js';
import { isLate, isRefusedForGood, waitAfterFailedCall, waitForEnd } from '../payment-schedule.js';

/**
 * Notifies the operator of a refusal, and of a day without answers. Fails a refund that the gateway refuses for a
 * week.
 */
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
      // Another worker holds the lease.
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
    // A callback may have reported it as pending meanwhile.
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
    // The refund may be refused after a wrong key was.
    const cause = isTurnedDown ? [refundId, 'REFUND'] : [refundId];
    await this.flags.raise(tx, { partnerId, subjectId, kind, cause, detail });
  }
}

/**
 * Calls the gateway between transactions. Records each result, but only the lease holder sets the schedule.
 */
@Injectable()
export class RefundProcessing {
  constructor(
    private readonly database: Database,
    private readonly refunds: PaymentRefundsRepository,
    private readonly gateways: PaymentGateways,
    private readonly ledger: RefundLedger,
    private readonly failures: RefundFailures,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
    private readonly random: RandomSource,
  ) {}

  /** @throws PaymentsUnavailable after recording the failure */
  async process(refund: LeasedRefund): Promise<void> {
    try {
      const state =
        refund.status === 'REQUESTED' ? await this.make(refund) : await this.ask(refund);
      if (!isAbout(state, refund))
        throw new PaymentsUnavailable('the answer is about another refund');
      await this.record(refund, state);
    } catch (error) {
      await this.failures.record(refund, error);
      throw error;
    }
  }

  /** Searches first for a refund whose response was lost: gateways forget idempotency keys. */
  private async make(refund: LeasedRefund): Promise<GatewayRefundState> {
    const { gateway, amount, leaseToken } = refund;
    const reference = referenceOf(refund);
    const made = leaseToken > 1 ? await this.gateways.fetchRefund(gateway, reference) : null;
    return made ?? this.gateways.makeRefund(gateway, { ...reference, amount });
  }

  private async ask(refund: LeasedRefund): Promise<GatewayRefundState> {
    const state = await this.gateways.fetchRefund(refund.gateway, referenceOf(refund));
    if (!state) throw new PaymentsUnavailable('the gateway does not know the refund');
    return state;
  }

  private async record(leased: LeasedRefund, state: GatewayRefundState): Promise<void> {
    await this.database.transaction(async (tx) => {
      const refund = await this.refunds.lock(tx, leased.id);
      if (!refund) throw new Error(`there is no refund ${leased.id}`);
      const updated = await this.ledger.apply(tx, refund, state, 'ASKED');
      if (updated.status === 'PENDING' && isLate(updated.statusAt, this.clock.now())) {
        await this.flagLate(tx, updated);
      }
      await this.refunds.noteAnswer(tx, leased);
      await this.refunds.release(tx, leased, waitForEnd(updated.asks, this.random.fraction()));
    });
  }

  private async flagLate(tx: Tx, refund: PaymentRefund): Promise<void> {
    const { partnerId, subjectId, id: refundId, orderId, gatewayPaymentId } = refund;
    const { gatewayRefundId, statusAt: since } = refund;
    const detail = { refundId, orderId, gatewayPaymentId, gatewayRefundId, since };
    const cause = [refundId];
    await this.flags.raise(tx, { partnerId, subjectId, kind: 'REFUND_LATE', cause, detail });
  }
}
