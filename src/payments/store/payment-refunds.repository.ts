import { Injectable } from '@nestjs/common';
import { Columns, Database, dueRows, Signal, Tx } from '../../platform/index.js';
import type { FailureStreak, LeasedRefund, ShownRefund } from '../payment-order.js';
import type { RefundStatus } from '../payment-status.js';
import { PaymentRefund } from './payment-refund.entity.js';
import type { Payment } from './payment.entity.js';

const columns = new Columns(PaymentRefund);

// Longer than all calls of one check.
const LEASE_SECONDS = 45;
const LONG_FAILURE_HOURS = 24;

interface RefundFailure {
  readonly reason: string;
  readonly isRefused: boolean;
}

type RefundStreak = FailureStreak & Pick<PaymentRefund, 'refusedSince'>;

@Injectable()
export class PaymentRefundsRepository {
  static readonly DUE = dueRows({
    table: 'payment_refunds',
    at: 'next_attempt_at',
    isLeased: true,
  });

  readonly arrivals = new Signal();

  constructor(private readonly database: Database) {}

  /** @returns null when the payment already has a refund */
  async insert(
    tx: Tx,
    { id, account, reason }: Pick<PaymentRefund, 'id' | 'account' | 'reason'>,
    payment: Payment,
  ): Promise<PaymentRefund | null> {
    const { id: paymentId, partnerId, subjectId, orderId } = payment;
    const { gateway, gatewayPaymentId, amount, currency } = payment;
    const isNew = await tx.insertOnce(PaymentRefund, {
      id,
      paymentId,
      partnerId,
      subjectId,
      orderId,
      gateway,
      account,
      gatewayPaymentId,
      amount,
      currency,
      reason,
    });
    if (!isNew) return null;
    tx.afterCommit(() => this.arrivals.raise());
    return this.lock(tx, id);
  }

  async lock(tx: Tx, id: string): Promise<PaymentRefund | null> {
    return tx
      .repository(PaymentRefund)
      .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  list(tx: Tx, partnerId: string, subjectId: string): Promise<ShownRefund[]> {
    return tx.repository(PaymentRefund).find({
      select: {
        id: true,
        orderId: true,
        gatewayPaymentId: true,
        gatewayRefundId: true,
        amount: true,
        currency: true,
        status: true,
        statusAt: true,
      },
      where: { partnerId, subjectId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** @returns null when the status has changed */
  move(
    tx: Tx,
    { id, status }: PaymentRefund,
    to: RefundStatus,
    gatewayRefundId: string | null,
  ): Promise<PaymentRefund | null> {
    return tx.first(
      `UPDATE payment_refunds SET status = $3, status_at = app_now(), asks = 0,
         gateway_refund_id = $4, tell_at = CASE WHEN $3 = 'DONE' THEN app_now() END,
         next_attempt_at = CASE WHEN $3 IN ('DONE', 'FAILED') THEN NULL ELSE next_attempt_at END
       WHERE id = $1 AND status = $2 RETURNING ${columns.selected()}`,
      [id, status, to, gatewayRefundId],
    );
  }

  scheduleAttempt(
    tx: Tx,
    { id, attempt }: PaymentRefund,
    waitMs: number,
  ): Promise<PaymentRefund | null> {
    return tx.first(
      `UPDATE payment_refunds SET status = 'REQUESTED', status_at = app_now(), asks = 0,
         gateway_refund_id = NULL, attempt = attempt + 1, failures = 0, failing_since = NULL,
         refused_since = NULL, lease_token = lease_token + 1,
         lease_until = NULL, next_attempt_at = app_now() + $3 * interval '1 millisecond'
       WHERE id = $1 AND attempt = $2 RETURNING ${columns.selected()}`,
      [id, attempt, waitMs],
    );
  }

  claimDue(most: number): Promise<LeasedRefund[]> {
    return this.database.query(CLAIM, [LEASE_SECONDS, most]);
  }

  async release(tx: Tx, refund: LeasedRefund, waitMs: number): Promise<void> {
    await tx.execute(RELEASE, [refund.id, refund.leaseToken, waitMs]);
  }

  async noteAnswer(tx: Tx, { id, leaseToken }: LeasedRefund): Promise<void> {
    await tx.update(
      PaymentRefund,
      { id, leaseToken },
      {
        asks: () => 'asks + 1',
        failures: 0,
        lastFailure: null,
        failingSince: null,
        refusedSince: null,
      },
    );
  }

  /** @returns null when another holder has the lease */
  noteFailure(
    tx: Tx,
    { id, leaseToken }: LeasedRefund,
    { reason, isRefused }: RefundFailure,
  ): Promise<RefundStreak | null> {
    return tx.first(
      `UPDATE payment_refunds SET failures = failures + 1, last_failure = $3,
         failing_since = coalesce(failing_since, app_now()),
         refused_since = CASE WHEN $5 THEN coalesce(refused_since, app_now()) END
       WHERE id = $1 AND lease_token = $2
       RETURNING failures, failing_since AS since, refused_since AS "refusedSince",
         failing_since <= app_now() - $4 * interval '1 hour' AS "isLong"`,
      [id, leaseToken, reason, LONG_FAILURE_HOURS, isRefused],
    );
  }
}

const CLAIM = `
  WITH lease AS MATERIALIZED (SELECT app_now() + $1 * interval '1 second' AS until)
  UPDATE payment_refunds
  SET lease_token = lease_token + 1, lease_until = lease.until, next_attempt_at = lease.until
  FROM lease WHERE id IN (
    SELECT id FROM payment_refunds
    WHERE next_attempt_at <= app_now() AND (lease_until IS NULL OR lease_until < app_now())
    ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING ${columns.selected()}
`;

const RELEASE = `
  UPDATE payment_refunds SET lease_until = NULL,
    next_attempt_at = CASE WHEN next_attempt_at IS NOT NULL
      THEN app_now() + $3 * interval '1 millisecond' END
  WHERE id = $1 AND lease_token = $2
`;
