import { Injectable } from '@nestjs/common';
import { Columns, Tx } from '../../platform/index.js';
import { Payment } from './payment.entity.js';

const columns = new Columns(Payment);

/** Longer than any payment takes to come to its application: nobody is overtaken. */
const WAIT_MINUTES = 10;

const SHOWN = [
  'partnerId',
  'subjectId',
  'orderId',
  'gatewayPaymentId',
  'amount',
  'isCounted',
] as const;

/** A payment that is neither kept nor, as far as is known, given back. */
export type UnsettledPayment = Pick<Payment, (typeof SHOWN)[number]> & {
  readonly id: string;
  /** Whether it goes back by now. */
  readonly isRefunded: boolean;
};

/** Payments that are not settled yet, for the module that owns their subjects. */
@Injectable()
export class UnsettledPayments {
  /** The next to be looked at, held until the transaction ends; none of those passed over. */
  async claim(tx: Tx, passedOver: readonly string[]): Promise<UnsettledPayment | null> {
    const [payment] = await tx.query<UnsettledPayment>(CLAIM, [passedOver, WAIT_MINUTES]);
    return payment ?? null;
  }

  /** It is kept, or it goes back. */
  async settle(tx: Tx, { id }: UnsettledPayment): Promise<void> {
    await tx.repository(Payment).update({ id: Number(id) }, { unsettledAt: null });
  }

  /** What becomes of it is not decided yet: it is looked at again later. */
  async leave(tx: Tx, { id }: UnsettledPayment): Promise<void> {
    await tx.repository(Payment).update({ id: Number(id) }, { unsettledAt: () => 'app_now()' });
  }
}

// The lock lets a refund be recorded that cites the payment: whoever records one holds the
// application, which the holder of this lock waits for.
const CLAIM = `
  SELECT p.id::text AS id, ${columns.selected('p', SHOWN)},
    EXISTS (SELECT FROM payment_refunds r WHERE r.payment_id = p.id) AS "isRefunded"
  FROM payments p
  WHERE p.unsettled_at <= app_now() - $2 * interval '1 minute' AND p.id <> ALL ($1::bigint[])
  ORDER BY p.unsettled_at LIMIT 1 FOR NO KEY UPDATE OF p SKIP LOCKED
`;
