import { Injectable } from '@nestjs/common';
import { Columns, type DueQuery, Signal, Tx } from '../../platform/index.js';
import { PaymentRefund } from './payment-refund.entity.js';

const columns = new Columns(PaymentRefund);

/** A finished refund, locked by its taker. */
export type DoneRefund = Pick<
  PaymentRefund,
  'partnerId' | 'subjectId' | 'amount' | 'currency' | 'reason'
> & { readonly id: number; readonly refundId: string; readonly attempts: number };

/** Delivers each finished refund once to the module that owns its subject. */
@Injectable()
export class RefundInbox {
  static readonly DUE: DueQuery = (now) =>
    `SELECT true FROM payment_refunds WHERE tell_at <= ${now} ORDER BY tell_at LIMIT 1`;

  readonly arrivals = new Signal();

  /** Null when none is free. */
  async take(tx: Tx): Promise<DoneRefund | null> {
    const [done] = await tx.query<DoneRefund>(TAKE);
    return done ?? null;
  }

  async markConsumed(tx: Tx, id: number): Promise<void> {
    await tx.repository(PaymentRefund).update({ paymentId: id }, { tellAt: null });
  }

  /** Defers one that did not fail. */
  async putOff(tx: Tx, id: number, until: Date): Promise<void> {
    await tx.repository(PaymentRefund).update({ paymentId: id }, { tellAt: until });
  }

  /** Retries a failed one later. */
  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE payment_refunds SET tell_attempts = tell_attempts + 1,
         tell_at = app_now() + $2 * interval '1 millisecond'
       WHERE payment_id = $1 AND tell_at IS NOT NULL`,
      [id, waitMs],
    );
  }
}

// A payment has one refund, and an inbox needs numbers.
const TAKE = `
  SELECT payment_id AS id, id AS "refundId", tell_attempts AS attempts,
    ${columns.selected(undefined, ['partnerId', 'subjectId', 'amount', 'currency', 'reason'])}
  FROM payment_refunds WHERE tell_at <= app_now()
  ORDER BY tell_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;
