import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import type { GatewayOrderState } from '../../payments/index.js';
import { Columns, Database, dueRows, type Tx } from '../../platform/index.js';
import {
  SandboxClock,
  SandboxPaymentRow,
  SandboxSessionRow,
  SandboxSms,
} from './sandbox.entity.js';

const columns = new Columns(SandboxPaymentRow);

const INSERTED = [
  'orderId',
  'partnerId',
  'subjectId',
  'amount',
  'detailsSealed',
  'expiresAt',
] as const;

const READ = [
  'orderId',
  'amount',
  'expiresAt',
  'method',
  'paymentId',
  'decidedAt',
  'detailsSealed',
  'refundReference',
] as const;

export const PAYMENT_METHODS = ['upi', 'card', 'netbanking'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

type NewSandboxPayment = Pick<SandboxPaymentRow, (typeof INSERTED)[number]>;

export interface SandboxPaymentState extends Pick<SandboxPaymentRow, (typeof READ)[number]> {
  readonly status: GatewayOrderState['status'];
  /** Decided, though the outcome may take effect later. */
  readonly isDecided: boolean;
  readonly isRefunded: boolean;
}

export interface PaymentDecision {
  readonly outcome: NonNullable<SandboxPaymentRow['outcome']>;
  readonly method: PaymentMethod;
  readonly delaySeconds: number;
  readonly callbacks: number;
}

/** A newer token ends the lease. */
export interface DueCallback {
  readonly orderId: string;
  readonly failures: number;
  readonly leaseToken: number;
}

@Injectable()
export class SandboxPaymentsRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['detailsSealed']);

  static readonly DUE = dueRows({
    table: 'sandbox_payments',
    at: 'next_callback_at',
    isLeased: true,
  });

  constructor(private readonly database: Database) {}

  async insertOnce(payment: NewSandboxPayment): Promise<void> {
    await this.database.query(
      `INSERT INTO sandbox_payments (${columns.list(INSERTED)}, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, app_now()) ON CONFLICT (order_id) DO NOTHING`,
      INSERTED.map((property) => payment[property]),
    );
  }

  find(orderId: string): Promise<SandboxPaymentState | null> {
    return this.database.first(
      `SELECT ${STATE_COLUMNS} FROM sandbox_payments WHERE order_id = $1`,
      [orderId],
    );
  }

  lock(tx: Tx, orderId: string): Promise<SandboxPaymentState | null> {
    return tx.first(
      `SELECT ${STATE_COLUMNS} FROM sandbox_payments WHERE order_id = $1 FOR UPDATE`,
      [orderId],
    );
  }

  async decide(
    tx: Tx,
    orderId: string,
    paymentId: string,
    { outcome, method, delaySeconds, callbacks }: PaymentDecision,
  ): Promise<void> {
    await tx.execute(
      `UPDATE sandbox_payments SET outcome = $2, method = $3, payment_id = $4,
         decided_at = app_now() + $5 * interval '1 second',
         next_callback_at = app_now() + $5 * interval '1 second', callbacks_left = $6, ${NEWS}
       WHERE order_id = $1`,
      [orderId, outcome, method, paymentId, delaySeconds, callbacks],
    );
  }

  async refund(orderId: string, reference: string, delaySeconds: number): Promise<void> {
    await this.database.query(
      `UPDATE sandbox_payments SET refund_reference = $2, callbacks_left = 1,
         refunded_at = app_now() + $3 * interval '1 second',
         next_callback_at = app_now() + $3 * interval '1 second', ${NEWS}
       WHERE order_id = $1 AND refund_reference IS NULL AND outcome = 'PAID'
         AND decided_at <= app_now()`,
      [orderId, reference, delaySeconds],
    );
  }

  async cancel(orderId: string): Promise<void> {
    await this.database.query(
      `UPDATE sandbox_payments SET cancelled_at = app_now(),
         next_callback_at = coalesce(next_callback_at, app_now()),
         callbacks_left = greatest(callbacks_left, 1), ${NEWS}
       WHERE order_id = $1 AND cancelled_at IS NULL AND expires_at > app_now()
         AND (outcome IS NULL OR decided_at > app_now())`,
      [orderId],
    );
  }

  claimCallbacks(most: number, leaseSeconds: number): Promise<DueCallback[]> {
    return this.database.query(CLAIM, [most, leaseSeconds]);
  }

  async recordSent({ orderId, leaseToken }: DueCallback): Promise<void> {
    await this.database.query(SENT, [orderId, leaseToken]);
  }

  async postpone({ orderId, leaseToken }: DueCallback, waitMs: number): Promise<void> {
    await this.database.query(POSTPONE, [orderId, leaseToken, waitMs]);
  }

  erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    return tx.update(
      SandboxPaymentRow,
      { partnerId, subjectId, detailsSealed: Not(IsNull()) },
      { detailsSealed: null },
    );
  }
}

const STATE_COLUMNS = `${columns.selected(READ)},
  outcome IS NOT NULL AS "isDecided", coalesce(refunded_at <= app_now(), false) AS "isRefunded",
  CASE WHEN decided_at <= app_now() THEN outcome
    WHEN cancelled_at IS NOT NULL THEN 'CANCELLED'
    WHEN expires_at <= app_now() THEN 'EXPIRED'
    ELSE 'OPEN' END AS status`;

/** A callback in progress sends the earlier state, so another one follows. */
const NEWS = 'lease_token = lease_token + 1, lease_until = NULL';

const CLAIM = `
  UPDATE sandbox_payments SET lease_token = lease_token + 1, lease_until = lease.until
  FROM (SELECT app_now() + $2 * interval '1 second' AS until) AS lease
  WHERE order_id IN (
    SELECT order_id FROM sandbox_payments
    WHERE next_callback_at <= app_now() AND (lease_until IS NULL OR lease_until < app_now())
    ORDER BY next_callback_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING order_id AS "orderId", callback_failures AS failures, lease_token AS "leaseToken"
`;

const SENT = `
  UPDATE sandbox_payments SET lease_until = NULL, callback_failures = 0,
    callbacks_left = CASE WHEN refunded_at > app_now() THEN 1 ELSE greatest(0, callbacks_left - 1) END,
    next_callback_at = CASE WHEN decided_at > app_now() THEN decided_at
      WHEN refunded_at > app_now() THEN refunded_at
      WHEN callbacks_left > 1 THEN app_now() END
  WHERE order_id = $1 AND lease_token = $2
`;

const POSTPONE = `
  UPDATE sandbox_payments SET lease_until = NULL, callback_failures = callback_failures + 1,
    next_callback_at = app_now() + $3 * interval '1 millisecond'
  WHERE order_id = $1 AND lease_token = $2
`;

export const SANDBOX_ENTITIES = [SandboxClock, SandboxPaymentRow, SandboxSessionRow, SandboxSms];
