import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { RandomSource, Tx } from '../../platform/index.js';
import type { GatewayRefundState } from '../payment-gateway.js';
import { PaymentMetrics } from '../payment-gateways.js';
import { PaymentAudit } from '../store/payment-audit.js';
import type { PaymentTrigger } from '../store/payment-audit.entity.js';
import type { PaymentRefund } from '../store/payment-refund.entity.js';
import { PaymentRefundsRepository } from '../store/payment-refunds.repository.js';
import type { NoticeSource } from '../store/payment.entity.js';
import { RefundInbox } from '../store/payment-inbox.js';
import { isAbout, keyOf } from '../payment-order.js';
import { waitBeforeAttempt } from '../payment-schedule.js';
import { canRefundMove, type RefundStatus } from '../payment-status.js';

const TRIGGERS = {
  PENDING: 'REFUND_PENDING',
  DONE: 'REFUND_DONE',
  FAILED: 'REFUND_FAILED',
} as const satisfies Partial<Record<RefundStatus, PaymentTrigger>>;

interface RefundReport {
  readonly source: NoticeSource;
  readonly gatewayRefundId: string | null;
}

/**
 * The caller holds the refund's row lock. Reports may repeat and arrive in any order; those of earlier attempts
 * change nothing.
 */
@Injectable()
export class RefundLedger {
  constructor(
    private readonly refunds: PaymentRefundsRepository,
    private readonly inbox: RefundInbox,
    private readonly audit: PaymentAudit,
    private readonly flags: OperatorFlags,
    private readonly metrics: PaymentMetrics,
    private readonly random: RandomSource,
  ) {}

  async apply(
    tx: Tx,
    refund: PaymentRefund,
    state: GatewayRefundState,
    source: NoticeSource,
  ): Promise<PaymentRefund> {
    if (!isAbout(state, refund)) return refund;
    const { gatewayRefundId } = state;
    if (state.status !== 'FAILED') {
      return this.move(tx, refund, state.status, { source, gatewayRefundId });
    }
    if (refund.status === 'DONE') return this.revoke(tx, refund, { source, gatewayRefundId });
    const waitMs = waitBeforeAttempt(refund.attempt);
    if (waitMs === null) return this.fail(tx, refund, { source, gatewayRefundId });
    return canRefundMove(refund.status, 'REQUESTED')
      ? this.tryAgain(tx, refund, waitMs, { source, gatewayRefundId })
      : refund;
  }

  async fail(tx: Tx, refund: PaymentRefund, report: RefundReport): Promise<PaymentRefund> {
    const failed = await this.move(tx, refund, 'FAILED', report);
    if (failed.status === refund.status) return failed;
    await this.flagFailure(tx, refund);
    return failed;
  }

  /** The money may have arrived all the same, so an operator checks. */
  private async revoke(
    tx: Tx,
    refund: PaymentRefund,
    report: RefundReport,
  ): Promise<PaymentRefund> {
    const { id: refundId, subjectId } = refund;
    const flag = { subjectId, kind: 'REFUND_FAILED' as const };
    if (await this.flags.exists(tx, flag, { refundId, wasDone: true })) return refund;
    await this.record(tx, refund, 'REFUND_TAKEN_BACK', refund, report);
    await this.flagFailure(tx, refund);
    return refund;
  }

  private async flagFailure(tx: Tx, refund: PaymentRefund): Promise<void> {
    const { partnerId, subjectId, id: refundId, orderId, gatewayPaymentId, amount } = refund;
    const { currency, reason, lastFailure, status } = refund;
    const facts = { refundId, orderId, gatewayPaymentId, amount, currency, reason, lastFailure };
    const wasDone = status === 'DONE';
    const cause = wasDone ? [refundId, 'WAS_DONE'] : [refundId];
    const detail = wasDone ? { ...facts, wasDone } : facts;
    await this.flags.raise(tx, { partnerId, subjectId, kind: 'REFUND_FAILED', cause, detail });
  }

  private async move(
    tx: Tx,
    refund: PaymentRefund,
    to: keyof typeof TRIGGERS,
    report: RefundReport,
  ): Promise<PaymentRefund> {
    if (!canRefundMove(refund.status, to)) return refund;
    const moved = await this.refunds.move(tx, refund, to, report.gatewayRefundId);
    if (!moved) throw new Error(`refund ${refund.id} changed status under its lock`);
    await this.record(tx, refund, TRIGGERS[to], moved, report);
    if (to !== 'DONE') return moved;
    tx.afterCommit(() => this.inbox.arrivals.raise());
    if (refund.status === 'FAILED') await this.resolveFailure(tx, refund);
    return moved;
  }

  /** So that no operator pays it again. */
  private resolveFailure(tx: Tx, { id: refundId, subjectId }: PaymentRefund): Promise<void> {
    return this.flags.resolve(tx, { subjectId, kind: 'REFUND_FAILED' }, { refundId });
  }

  /** The failed refund returned to the payee, so another key is used. */
  private async tryAgain(
    tx: Tx,
    refund: PaymentRefund,
    waitMs: number,
    report: RefundReport,
  ): Promise<PaymentRefund> {
    const jitter = 1 + this.random.fraction() / 10;
    const again = await this.refunds.scheduleAttempt(tx, refund, Math.round(waitMs * jitter));
    if (!again) throw new Error(`refund ${refund.id} changed status under its lock`);
    await this.record(tx, refund, 'REFUND_TRIED_AGAIN', again, report);
    return again;
  }

  private async record(
    tx: Tx,
    before: PaymentRefund,
    trigger: PaymentTrigger,
    { status, reason }: PaymentRefund,
    report: RefundReport,
  ): Promise<void> {
    const { id: refundId, orderId: id, partnerId, subjectId } = before;
    const about = { refundId, key: keyOf(before), ...report };
    await this.audit.record(
      tx,
      { id, partnerId, subjectId },
      trigger,
      before.status,
      status,
      about,
    );
    tx.afterCommit(() => this.metrics.refunds.inc({ reason, status }));
  }
}
