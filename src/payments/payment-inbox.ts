import { Injectable } from '@nestjs/common';
import type { Paise } from '../loans/index.js';
import { Signal, Tx } from '../platform/index.js';

export type PaymentNoticeKind = 'PAID' | 'FAILED' | 'EXPIRED' | 'CANCELLED';

/** What became of an order, for the module that owns its subject. */
export interface PaymentNotice {
  /** The inbox row. */
  readonly id: number;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly orderId: string;
  /**
   * `PAID`: money of the right amount; one notice for each payment, so a second one on the same
   * subject is a payment too many. `FAILED`: one for each try that failed. `EXPIRED`, `CANCELLED`:
   * the page is closed; a `PAID` may follow all the same, and is money that was really taken.
   */
  readonly kind: PaymentNoticeKind;
  readonly gatewayPaymentId: string | null;
  readonly amount: Paise | null;
  /** When it came to pass, as the gateway says it. */
  readonly at: Date;
}

/** A notice that the transaction which took it holds. */
export interface ClaimedNotice extends PaymentNotice {
  /** How often it could not be taken up. */
  readonly attempts: number;
}

/** A notice on its way in. */
export type NewNotice = Omit<PaymentNotice, 'id'>;

interface InboxRow {
  id: number;
  partner_id: string;
  subject_id: string;
  order_id: string;
  kind: PaymentNoticeKind;
  gateway_payment_id: string | null;
  amount: Paise | null;
  at: Date;
  attempts: number;
}

/**
 * Where what becomes of payments comes in, once. The module that owns the subject takes it from
 * here; nothing here calls upwards. The rows hold no personal data.
 */
@Injectable()
export class PaymentInbox {
  /** Raised after something new came in. */
  readonly arrivals = new Signal();

  /** Stores a notice; false when the same one was here before. */
  async receive(tx: Tx, notice: NewNotice): Promise<boolean> {
    const inserted = await tx.query(
      `INSERT INTO payment_inbox (notice_key, partner_id, subject_id, order_id, kind,
         gateway_payment_id, amount, at, received_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, app_now(), app_now())
       ON CONFLICT (notice_key) DO NOTHING RETURNING id`,
      [
        noticeKey(notice),
        notice.partnerId,
        notice.subjectId,
        notice.orderId,
        notice.kind,
        notice.gatewayPaymentId,
        notice.amount,
        notice.at,
      ],
    );
    if (inserted.length > 0) tx.afterCommit(() => this.arrivals.raise());
    return inserted.length > 0;
  }

  /** The next notice that nobody else is taking up, or null. */
  async take(tx: Tx): Promise<ClaimedNotice | null> {
    const [row] = await tx.query<InboxRow>(
      `SELECT * FROM payment_inbox
       WHERE consumed_at IS NULL AND next_attempt_at <= app_now()
       ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    return row ? toNotice(row) : null;
  }

  /**
   * Every payment of a subject that waits, on whichever order, oldest first; one that somebody else
   * is just taking up is waited for. Of payments alone: whoever takes one up holds no other row, so
   * that nobody waits in a circle.
   */
  async takePaymentsOf(
    tx: Tx,
    { partnerId, subjectId }: Pick<PaymentNotice, 'partnerId' | 'subjectId'>,
  ): Promise<ClaimedNotice[]> {
    const rows = await tx.query<InboxRow>(
      `SELECT * FROM payment_inbox
       WHERE subject_id = $1 AND partner_id = $2 AND kind = 'PAID' AND consumed_at IS NULL
       ORDER BY id FOR UPDATE`,
      [subjectId, partnerId],
    );
    return rows.map(toNotice);
  }

  async markConsumed(tx: Tx, id: number): Promise<void> {
    await tx.execute('UPDATE payment_inbox SET consumed_at = app_now() WHERE id = $1', [id]);
  }

  /** Puts a notice that could not be taken up back for later. */
  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE payment_inbox SET attempts = attempts + 1,
         next_attempt_at = app_now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND consumed_at IS NULL`,
      [id, waitMs],
    );
  }
}

/** The same thing said again, by whomever, is the same notice. */
function noticeKey({ orderId, kind, gatewayPaymentId }: NewNotice): string {
  return [orderId, kind, gatewayPaymentId].filter((part) => part !== null).join(':');
}

function toNotice(row: InboxRow): ClaimedNotice {
  return {
    id: row.id,
    partnerId: row.partner_id,
    subjectId: row.subject_id,
    orderId: row.order_id,
    kind: row.kind,
    gatewayPaymentId: row.gateway_payment_id,
    amount: row.amount,
    at: row.at,
    attempts: row.attempts,
  };
}
