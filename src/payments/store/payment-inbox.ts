import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Columns, type DueQuery, Signal, Tx } from '../../platform/index.js';
import { PaymentNotice } from './payment-notice.entity.js';

const columns = new Columns(PaymentNotice);

/** A notice on its way in. */
export type NewNotice = Pick<
  PaymentNotice,
  'partnerId' | 'subjectId' | 'orderId' | 'kind' | 'gatewayPaymentId' | 'amount' | 'at'
>;

/** A notice that the transaction which took it holds. */
export type ClaimedNotice = NewNotice & Pick<PaymentNotice, 'id' | 'attempts'>;

/**
 * Where what becomes of payments comes in, once. The module that owns the subject takes it from
 * here; nothing here calls upwards. The rows hold no personal data.
 */
@Injectable()
export class PaymentInbox {
  /** Whether there is something for `take`. */
  static readonly DUE: DueQuery = (now) => `
    SELECT true FROM payment_inbox WHERE consumed_at IS NULL AND next_attempt_at <= ${now}
    ORDER BY next_attempt_at, id LIMIT 1`;

  /** Raised after something new came in. */
  readonly arrivals = new Signal();

  /** Stores a notice; false when the same one was here before. */
  async receive(tx: Tx, notice: NewNotice): Promise<boolean> {
    const isNew = await tx.insertOnce(PaymentNotice, { ...notice, noticeKey: noticeKey(notice) });
    if (isNew) tx.afterCommit(() => this.arrivals.raise());
    return isNew;
  }

  /** The next notice that nobody else is taking up, or null. */
  async take(tx: Tx): Promise<ClaimedNotice | null> {
    const [notice] = await tx.query<ClaimedNotice>(
      `SELECT ${CLAIMED} FROM payment_inbox
       WHERE consumed_at IS NULL AND next_attempt_at <= app_now()
       ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    return notice ?? null;
  }

  /**
   * Every payment of a subject that waits, on whichever order, oldest first; one that somebody else
   * is just processing is waited for. Of payments alone: whoever processes one holds no other row, so
   * that nobody waits in a circle.
   */
  async takePaymentsOf(
    tx: Tx,
    { partnerId, subjectId }: Pick<PaymentNotice, 'partnerId' | 'subjectId'>,
  ): Promise<ClaimedNotice[]> {
    return tx.repository(PaymentNotice).find({
      where: { subjectId, partnerId, kind: 'PAID', consumedAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async markConsumed(tx: Tx, id: number): Promise<void> {
    await tx.repository(PaymentNotice).update({ id }, { consumedAt: () => 'app_now()' });
  }

  /** Puts a notice that could not be processed back for later. */
  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE payment_inbox SET attempts = attempts + 1,
         next_attempt_at = app_now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND consumed_at IS NULL`,
      [id, waitMs],
    );
  }
}

const CLAIMED = columns.selected(undefined, [
  'id',
  'partnerId',
  'subjectId',
  'orderId',
  'kind',
  'gatewayPaymentId',
  'amount',
  'at',
  'attempts',
]);

/** The same thing said again, by whomever, is the same notice. */
function noticeKey({ orderId, kind, gatewayPaymentId }: NewNotice): string {
  return [orderId, kind, gatewayPaymentId].filter((part) => part !== null).join(':');
}
