import { Injectable } from '@nestjs/common';
import { Columns, type DueQuery, Signal, Tx } from '../../platform/index.js';
import { PaymentRefund } from './payment-refund.entity.js';

const columns = new Columns(PaymentRefund);

/** A refund that is done, for the module that owns its subject; held by who has taken it. */
export type DoneRefund = Pick<
  PaymentRefund,
  'partnerId' | 'subjectId' | 'amount' | 'currency' | 'reason'
> & { readonly id: number; readonly refundId: string; readonly attempts: number };

/**
 * Where refunds that are done come in, once each: the refunds' own rows, as long as nobody has taken
 * note of them. The module that owns the subject takes them from here; nothing here calls upwards.
 */
@Injectable()
export class RefundInbox {
  /** Whether there is something for `take`. */
  static readonly DUE: DueQuery = (now) =>
    `SELECT true FROM payment_refunds WHERE tell_at <= ${now} ORDER BY tell_at LIMIT 1`;

  /** Raised after another one is done. */
  readonly arrivals = new Signal();

  /** The next that nobody else is taking up, or null. */
  async take(tx: Tx): Promise<DoneRefund | null> {
    const [done] = await tx.query<DoneRefund>(TAKE);
    return done ?? null;
  }

  async markConsumed(tx: Tx, id: number): Promise<void> {
    await tx.repository(PaymentRefund).update({ paymentId: id }, { tellAt: null });
  }

  /** Leaves one until then: nothing went wrong with it. */
  async putOff(tx: Tx, id: number, until: Date): Promise<void> {
    await tx.repository(PaymentRefund).update({ paymentId: id }, { tellAt: until });
  }

  /** Puts one that could not be processed back for later. */
  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE payment_refunds SET tell_attempts = tell_attempts + 1,
         tell_at = app_now() + $2 * interval '1 millisecond'
       WHERE payment_id = $1 AND tell_at IS NOT NULL`,
      [id, waitMs],
    );
  }
}

// By the payment: an inbox goes by numbers, and of one payment there is one refund.
const TAKE = `
  SELECT payment_id AS id, id AS "refundId", tell_attempts AS attempts,
    ${columns.selected(undefined, ['partnerId', 'subjectId', 'amount', 'currency', 'reason'])}
  FROM payment_refunds WHERE tell_at <= app_now()
  ORDER BY tell_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;
