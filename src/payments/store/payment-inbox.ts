import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { appNow, Columns, dueRows, Signal, Tx } from '../../platform/index.js';
import { PaymentRefund } from './payment-refund.entity.js';
import { PaymentNotice } from './payment.entity.js';

const columns = new Columns(PaymentNotice);

export type NewNotice = Pick<
  PaymentNotice,
  'partnerId' | 'subjectId' | 'orderId' | 'kind' | 'gatewayPaymentId' | 'amount' | 'at'
>;

/** Locked until the transaction ends. */
export type ClaimedNotice = NewNotice & Pick<PaymentNotice, 'id' | 'attempts'>;

/** Delivers each result once to the module that owns the subject. No personal data. */
@Injectable()
export class PaymentInbox {
  static readonly DUE = dueRows({
    table: 'payment_inbox',
    at: 'next_attempt_at',
    where: 'consumed_at IS NULL',
  });

  readonly arrivals = new Signal();

  /** @returns false for a duplicate */
  async receive(tx: Tx, notice: NewNotice): Promise<boolean> {
    const isNew = await tx.insertOnce(PaymentNotice, { ...notice, noticeKey: noticeKey(notice) });
    if (isNew) tx.afterCommit(() => this.arrivals.raise());
    return isNew;
  }

  /** @returns null when none is free */
  take(tx: Tx): Promise<ClaimedNotice | null> {
    return tx.first(
      `SELECT ${CLAIMED} FROM payment_inbox
       WHERE consumed_at IS NULL AND next_attempt_at <= app_now()
       ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
  }

  /** Oldest first. Waiting for other processors cannot deadlock: they lock no other row. */
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
    await tx.update(PaymentNotice, { id }, { consumedAt: appNow });
  }

  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE payment_inbox SET attempts = attempts + 1,
         next_attempt_at = app_now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND consumed_at IS NULL`,
      [id, waitMs],
    );
  }
}

const CLAIMED = columns.selected([
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

/** Equal for repeated reports. */
function noticeKey({ orderId, kind, gatewayPaymentId }: NewNotice): string {
  return [orderId, kind, gatewayPaymentId].filter((part) => part !== null).join(':');
}

const refundColumns = new Columns(PaymentRefund);

/** Locked until the transaction ends. */
export type DoneRefund = Pick<
  PaymentRefund,
  'partnerId' | 'subjectId' | 'amount' | 'currency' | 'reason'
> & { readonly id: number; readonly refundId: string; readonly attempts: number };

/** Delivers each finished refund once to the module that owns the subject. */
@Injectable()
export class RefundInbox {
  static readonly DUE = dueRows({ table: 'payment_refunds', at: 'tell_at' });

  readonly arrivals = new Signal();

  /** @returns null when none is free */
  take(tx: Tx): Promise<DoneRefund | null> {
    return tx.first(TAKE);
  }

  async markConsumed(tx: Tx, id: number): Promise<void> {
    await tx.update(PaymentRefund, { paymentId: id }, { tellAt: null });
  }

  /** Without counting a failure. */
  async defer(tx: Tx, id: number, until: Date): Promise<void> {
    await tx.update(PaymentRefund, { paymentId: id }, { tellAt: until });
  }

  /** After a failure. */
  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE payment_refunds SET tell_attempts = tell_attempts + 1,
         tell_at = app_now() + $2 * interval '1 millisecond'
       WHERE payment_id = $1 AND tell_at IS NOT NULL`,
      [id, waitMs],
    );
  }
}

// A payment has one refund, so its numeric id identifies it.
const TAKE = `
  SELECT payment_id AS id, id AS "refundId", tell_attempts AS attempts,
    ${refundColumns.selected(['partnerId', 'subjectId', 'amount', 'currency', 'reason'])}
  FROM payment_refunds WHERE tell_at <= app_now()
  ORDER BY tell_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;
