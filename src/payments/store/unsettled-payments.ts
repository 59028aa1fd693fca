import { Injectable } from '@nestjs/common';
import { appNow, Columns, type DueWork, Tx } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';
import { Payment } from './payment.entity.js';

const columns = new Columns(Payment);

/** Longer than a payment takes to reach its application. */
const WAIT_MINUTES = 10;

const SHOWN = [
  'partnerId',
  'subjectId',
  'orderId',
  'gatewayPaymentId',
  'amount',
  'isCounted',
] as const;

/** Neither kept nor known to be refunded. */
export type UnsettledPayment = Pick<Payment, (typeof SHOWN)[number]> & {
  readonly id: string;
  readonly isRefunded: boolean;
};

@Injectable()
export class UnsettledPayments {
  /** Locked until the transaction ends. */
  claim(tx: Tx, passedOver: readonly string[]): Promise<UnsettledPayment | null> {
    return tx.first(CLAIM, [passedOver]);
  }

  /**
   * For a journey that has ended. Skips locked payments: their holder waits for this transaction's journey, then
   * settles them.
   */
  async settleSoon(tx: Tx, subjectId: string): Promise<void> {
    await tx.execute(
      `UPDATE payments SET unsettled_at = app_now() - $2 * interval '1 minute'
       WHERE id IN (
         SELECT id FROM payments WHERE subject_id = $1 AND unsettled_at IS NOT NULL
         FOR NO KEY UPDATE SKIP LOCKED)`,
      [subjectId, WAIT_MINUTES],
    );
  }

  /** It is kept or refunded. */
  async settle(tx: Tx, { id }: UnsettledPayment): Promise<void> {
    await tx.update(Payment, { id: Number(id) }, { unsettledAt: null });
  }

  /** To be checked again later. */
  async leave(tx: Tx, { id }: UnsettledPayment): Promise<void> {
    await tx.update(Payment, { id: Number(id) }, { unsettledAt: appNow });
  }
}

const isUnsettledBy = (now: string) =>
  `unsettled_at <= ${now} - ${WAIT_MINUTES} * interval '1 minute'`;

export const UNSETTLED_PAYMENTS: DueWork = {
  isDue: (now) =>
    `SELECT true FROM payments WHERE ${isUnsettledBy(now)} ORDER BY unsettled_at LIMIT 1`,
  // Only due payments, so that time travel does not stop for every check of an undecided payment.
  times: (now) => `SELECT ${now} AS at FROM payments WHERE ${isUnsettledBy(now)}`,
};

// Allows a refund that references the payment: its writer holds the application that this holder waits for.
const CLAIM = `
  SELECT p.id::text AS id, ${columns.selected(SHOWN, 'p')},
    EXISTS (SELECT FROM payment_refunds r WHERE r.payment_id = p.id) AS "isRefunded"
  FROM payments p
  WHERE ${isUnsettledBy('app_now()')} AND p.id <> ALL ($1::bigint[])
  ORDER BY p.unsettled_at LIMIT 1 FOR NO KEY UPDATE OF p SKIP LOCKED
`;

export interface Unfinished {
  readonly orders: number;
  /** Neither kept nor being refunded. */
  readonly payments: number;
  readonly refunds: number;
}

/** Payments and refunds that new credentials of an account would cut off. */
@Injectable()
export class UnfinishedAccounts {
  /** @param account the lender that owns it; null: the operator's */
  async count(tx: Tx, gateway: GatewayKind, account: string | null): Promise<Unfinished> {
    const [counted] = await tx.query<Unfinished>(COUNT, [gateway, account]);
    return counted;
  }
}

// Uses the indexes of due rows. Orders without a gateway are not cut off.
const COUNT = `
  SELECT
    (SELECT count(*)::int FROM payment_orders
     WHERE next_attempt_at IS NOT NULL AND gateway = $1 AND account IS NOT DISTINCT FROM $2) AS orders,
    (SELECT count(*)::int FROM payments p JOIN payment_orders o ON o.id = p.order_id
     WHERE p.unsettled_at IS NOT NULL AND p.gateway = $1
       AND o.account IS NOT DISTINCT FROM $2) AS payments,
    (SELECT count(*)::int FROM payment_refunds
     WHERE next_attempt_at IS NOT NULL AND gateway = $1 AND account IS NOT DISTINCT FROM $2) AS refunds
`;
