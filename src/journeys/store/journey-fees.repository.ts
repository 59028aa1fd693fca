import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { FEE } from '../../journey-steps/index.js';
import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';
import { appNow, Columns, type DueWork, Tx } from '../../platform/index.js';
import { JourneyFee } from './journey-fee.entity.js';
import type { OwnedJourney } from './journeys.repository.js';

const columns = new Columns(JourneyFee);

type NewFee = Pick<
  JourneyFee,
  'redirectId' | 'partnerId' | 'journeyId' | 'lenderCode' | 'amount' | 'feeOnDecline'
>;

type FeeChanges = Partial<
  Pick<JourneyFee, 'orderId' | 'isTryFailed' | 'gatewayPaymentId' | 'paidAt' | 'feeOnDecline'>
>;

export interface DueFee extends OwnedJourney {
  readonly redirectId: string;
}

/** The caller holds the journey's lock. */
@Injectable()
export class JourneyFeesRepository {
  /**
   * Payable for some hours.
   * @param latest an earlier end; null: none
   */
  async insert(tx: Tx, fee: NewFee, latest: Date | null): Promise<void> {
    const given = columns.list([
      'redirectId',
      'partnerId',
      'journeyId',
      'lenderCode',
      'amount',
      'feeOnDecline',
    ]);
    await tx.execute(
      `INSERT INTO journey_fees (${given}, expires_at)
       SELECT ${given}, least(app_now() + $2 * interval '1 hour', $3::timestamptz)
       FROM jsonb_populate_record(NULL::journey_fees, $1)`,
      [JSON.stringify(columns.toRecord(fee)), FEE.payHours, latest],
    );
  }

  async find(tx: Tx, partnerId: string, redirectId: string): Promise<JourneyFee | null> {
    return tx.repository(JourneyFee).findOneBy({ redirectId, partnerId });
  }

  /** The fee due now, else the paid one, else the last choice's. */
  async current(
    tx: Tx,
    journey: OwnedJourney & { readonly redirectId: string | null },
  ): Promise<JourneyFee | null> {
    const fees = await this.list(tx, journey);
    const asked = fees.find(({ redirectId }) => redirectId === journey.redirectId);
    return asked ?? fees.find(({ paidAt }) => paidAt !== null) ?? fees.at(-1) ?? null;
  }

  async list(tx: Tx, { id: journeyId, partnerId }: OwnedJourney): Promise<JourneyFee[]> {
    return tx
      .repository(JourneyFee)
      .find({ where: { journeyId, partnerId }, order: { redirectId: 'ASC' } });
  }

  async change(
    tx: Tx,
    { redirectId }: Pick<JourneyFee, 'redirectId'>,
    changes: FeeChanges,
  ): Promise<void> {
    await tx.update(JourneyFee, { redirectId }, changes);
  }

  /** For an undone choice or an ended journey. */
  async expireAllOf(tx: Tx, { id, partnerId }: OwnedJourney): Promise<void> {
    await tx.execute(
      `UPDATE journey_fees SET expires_at = app_now()
       WHERE journey_id = $1 AND partner_id = $2 AND paid_at IS NULL AND expires_at > app_now()`,
      [id, partnerId],
    );
  }

  async countUnordered(tx: Tx, lenderCode: string): Promise<number> {
    const [counted] = await tx.query<{ count: number }>(COUNT_UNORDERED, [lenderCode]);
    return counted.count;
  }

  /** Checked again under the lock: an order or another choice may have come first. */
  async isExpired(tx: Tx, { redirectId }: JourneyFee): Promise<boolean> {
    return (
      (await tx.value<boolean>(
        `SELECT ${LAST_BEGINNING} <= app_now() AS "isExpired" FROM journey_fees AS f WHERE redirect_id = $1`,
        [redirectId],
      )) ?? false
    );
  }

  async callOff(tx: Tx, { redirectId }: JourneyFee): Promise<void> {
    await tx.update(JourneyFee, { redirectId, calledOffAt: IsNull() }, { calledOffAt: appNow });
  }

  claimExpired(tx: Tx, passedOver: readonly string[]): Promise<DueFee | null> {
    return tx.first(CLAIM_EXPIRED, [passedOver]);
  }
}

/** A payment must begin so early that its page closes in time. */
export function payUntil({ orderId, expiresAt }: JourneyFee): Date {
  return new Date(expiresAt.getTime() - (orderId === null ? SHORTEST_PAGE_LIFE_MS : 0));
}

const LAST_BEGINNING = `
  f.expires_at - CASE WHEN f.order_id IS NULL THEN ${SHORTEST_PAGE_LIFE_MS} ELSE 0 END * interval '1 millisecond'`;

const UNPAID = 'f.paid_at IS NULL AND f.called_off_at IS NULL';

const expiredBy = (now: string) => `
  ${UNPAID} AND ${LAST_BEGINNING} <= ${now}
    AND f.expires_at <= ${now} + ${SHORTEST_PAGE_LIFE_MS} * interval '1 millisecond'`;

const CLAIM_EXPIRED = `
  SELECT j.id, j.partner_id AS "partnerId", f.redirect_id AS "redirectId"
  FROM journey_fees AS f JOIN journeys AS j ON j.id = f.journey_id
  WHERE ${expiredBy('app_now()')}
    AND j.id <> ALL ($1::text[])
  ORDER BY f.expires_at LIMIT 1 FOR UPDATE OF j SKIP LOCKED
`;

const COUNT_UNORDERED = `
  SELECT count(*)::int AS count
  FROM journeys AS j JOIN journey_offers AS o ON o.id = j.selected_offer_id
  WHERE j.finished_at IS NULL AND o.lender_code = $1 AND '${FEE.name}' = ANY (j.steps)
    AND NOT EXISTS (
      SELECT FROM journey_fees AS f
      WHERE f.redirect_id = j.redirect_id AND f.order_id IS NOT NULL)
`;

export const EXPIRED_FEES: DueWork = {
  isDue: (now) =>
    `SELECT true FROM journey_fees AS f WHERE ${expiredBy(now)} ORDER BY f.expires_at LIMIT 1`,
  times: () => `SELECT ${LAST_BEGINNING} AS at FROM journey_fees AS f WHERE ${UNPAID}`,
};
