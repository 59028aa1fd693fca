import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';
import { Columns, Database, type DueQuery, type TimesQuery, Tx } from '../../platform/index.js';
import type { LenderChoice } from '../domain/chosen-loan.js';
import type { InstantLoanStatus } from '../domain/instant-loan-status.js';
import { InstantLoan } from './instant-loan.entity.js';

const columns = new Columns(InstantLoan);

/** Times are judged by the database's clock. */
export type InstantLoanChanges = Partial<
  Pick<
    InstantLoan,
    | 'status'
    | 'offersDueAt'
    | keyof LenderChoice
    | 'wantedOfferId'
    | 'expiresAt'
    | 'agreedAt'
    | 'calledOffAt'
    | 'paymentOrderId'
    | 'isRetrying'
    | 'gatewayPaymentId'
    | 'paidAt'
    | 'sanctionReference'
    | 'declineReason'
  >
>;

type NewInstantLoan = Pick<
  InstantLoan,
  | 'id'
  | 'partnerId'
  | 'keyId'
  | 'loanAmount'
  | 'offersDueAt'
  | 'offersGivenUpAt'
  | 'applicantSealed'
  | 'mobileHash'
  | 'panHash'
  | 'smsId'
  | 'smsLanguage'
  | 'expiresAt'
  | 'createdAt'
>;

export type OwnedLoan = Pick<InstantLoan, 'id' | 'partnerId'>;

interface OfferTimes {
  readonly now: Date;
  readonly isPastDeadline: boolean;
  readonly isGivenUp: boolean;
}

interface SmsState {
  readonly isSmsSent: boolean | null;
  readonly smsId: string;
  /** Whether the call may still be running. */
  readonly mayBeInFlight: boolean;
}

@Injectable()
export class InstantLoansRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified([
    'applicantSealed',
    'mobileHash',
    'panHash',
  ]);

  static readonly AWAITING_OFFERS: DueQuery = (now) => `
    SELECT true FROM instant_loans
    WHERE offers_due_at <= ${now} AND status = 'PAYMENT_PENDING'
    ORDER BY offers_due_at LIMIT 1`;

  constructor(private readonly database: Database) {}

  async insert(tx: Tx, loan: NewInstantLoan): Promise<InstantLoan> {
    return tx.insert(InstantLoan, loan);
  }

  /** Link tokens are the proof, so no partner is needed. */
  async findByLink(id: string): Promise<InstantLoan | null> {
    return this.database.with(InstantLoan, (loans) => loans.findOneBy({ id }));
  }

  async lock(tx: Tx, partnerId: string, id: string): Promise<InstantLoan | null> {
    return tx
      .repository(InstantLoan)
      .findOne({ where: { id, partnerId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Null when the status is not the expected one. */
  async change(
    tx: Tx,
    { id, partnerId }: InstantLoan,
    expected: InstantLoanStatus,
    changes: InstantLoanChanges,
  ): Promise<InstantLoan | null> {
    const properties = Object.keys(changes) as (keyof InstantLoanChanges)[];
    const sets = properties.map((property, index) => `${columns.name(property)} = $${index + 4}`);
    const [row] = await tx.query<InstantLoan>(
      `UPDATE instant_loans SET ${[...sets, 'updated_at = app_now()'].join(', ')}
       WHERE id = $1 AND partner_id = $2 AND status = $3 RETURNING ${columns.selected()}`,
      [id, partnerId, expected, ...properties.map((property) => changes[property])],
    );
    return row ?? null;
  }

  /**
   * Keeps the first time.
   * @returns whether this was it
   */
  async agree(tx: Tx, id: string): Promise<boolean> {
    const { affected } = await tx
      .repository(InstantLoan)
      .update({ id, agreedAt: IsNull() }, { agreedAt: () => 'app_now()' });
    return affected === 1;
  }

  async finish(tx: Tx, id: string): Promise<void> {
    await tx
      .repository(InstantLoan)
      .update({ id }, { finishedAt: () => 'updated_at', decisionDueAt: null, offersDueAt: null });
  }

  /** Equal times mean that the lenders' own deadline has passed. */
  async offerTimes(tx: Tx, id: string): Promise<OfferTimes> {
    const [times] = await tx.query<OfferTimes>(
      `SELECT date_trunc('milliseconds', app_now()) AS now,
         coalesce(offers_due_at <= app_now() OR offers_due_at = offers_given_up_at, false)
           AS "isPastDeadline",
         coalesce(offers_given_up_at <= app_now(), false) AS "isGivenUp"
       FROM instant_loans WHERE id = $1`,
      [id],
    );
    return times;
  }

  /** Copied in the database, so that both are equal. */
  async awaitLongDeadline(tx: Tx, id: string): Promise<void> {
    await tx.execute('UPDATE instant_loans SET offers_due_at = offers_given_up_at WHERE id = $1', [
      id,
    ]);
  }

  async smsState(id: string, inFlightSeconds: number): Promise<SmsState | null> {
    const [row] = await this.database.query<SmsState & Record<string, unknown>>(
      `SELECT ${columns.selected(undefined, ['isSmsSent', 'smsId'])},
         created_at > app_now() - $2 * interval '1 second' AS "mayBeInFlight"
       FROM instant_loans WHERE id = $1`,
      [id, inFlightSeconds],
    );
    return row ?? null;
  }

  /**
   * The first call decides.
   * @returns the decided value
   */
  async settleSms(id: string, isSent: boolean): Promise<boolean> {
    const [row] = await this.database.query<{ isSmsSent: boolean }>(
      `UPDATE instant_loans SET is_sms_sent = coalesce(is_sms_sent, $2) WHERE id = $1
       RETURNING is_sms_sent AS "isSmsSent"`,
      [id, isSent],
    );
    return row?.isSmsSent ?? isSent;
  }

  async awaitDecision(tx: Tx, id: string, seconds: number): Promise<void> {
    await tx.execute(
      `UPDATE instant_loans SET decision_due_at = app_now() + $2 * interval '1 second'
       WHERE id = $1`,
      [id, seconds],
    );
  }

  async awaitNoDecision(tx: Tx, id: string): Promise<void> {
    await tx.repository(InstantLoan).update({ id }, { decisionDueAt: null });
  }

  async callOff(tx: Tx, id: string): Promise<void> {
    await tx.repository(InstantLoan).update({ id }, { calledOffAt: () => 'app_now()' });
  }

  /** Locks the next due application, except those passed over. */
  async claimAwaitingOffers(tx: Tx, passedOver: readonly string[]): Promise<OwnedLoan | null> {
    return claim(tx, AWAITING_OFFERS, passedOver);
  }

  async claimUnpaid(tx: Tx, passedOver: readonly string[]): Promise<OwnedLoan | null> {
    return claim(tx, UNPAID, passedOver, SHORTEST_PAGE_LIFE_MS);
  }

  async claimUndecided(tx: Tx, passedOver: readonly string[]): Promise<OwnedLoan | null> {
    return claim(tx, UNDECIDED, passedOver);
  }

  /** Across partners, for the administrator. */
  async findOf(
    tx: Tx,
    by: 'id' | 'mobileHash' | 'panHash',
    values: readonly string[],
  ): Promise<OwnedLoan[]> {
    return tx.repository(InstantLoan).find({
      select: { id: true, partnerId: true },
      where: { [by]: In(values) },
      order: { id: 'ASC' },
    });
  }

  /** @returns the number of applications that had personal data */
  async eraseApplicant(tx: Tx, partnerId: string, id: string): Promise<number> {
    return tx.execute(ERASE_APPLICANT, [id, partnerId]);
  }
}

async function claim(
  tx: Tx,
  due: string,
  passedOver: readonly string[],
  ...times: readonly number[]
): Promise<OwnedLoan | null> {
  const [claimed] = await tx.query<OwnedLoan>(due, [passedOver, ...times]);
  return claimed ?? null;
}

const AWAITING_OFFERS = `
  SELECT id, partner_id AS "partnerId" FROM instant_loans
  WHERE offers_due_at <= app_now() AND status = 'PAYMENT_PENDING'
    AND id <> ALL ($1::text[])
  ORDER BY offers_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;

const UNPAID = `
  SELECT id, partner_id AS "partnerId" FROM instant_loans
  WHERE status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED') AND called_off_at IS NULL
    AND expires_at <= app_now() + $2 * interval '1 millisecond'
    AND (payment_order_id IS NULL OR expires_at <= app_now()) AND id <> ALL ($1::text[])
  ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;

const UNDECIDED = `
  SELECT id, partner_id AS "partnerId" FROM instant_loans
  WHERE decision_due_at <= app_now() AND id <> ALL ($1::text[])
  ORDER BY decision_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;

const ERASE_APPLICANT = `
  UPDATE instant_loans SET applicant_sealed = NULL, mobile_hash = NULL, pan_hash = NULL
  WHERE id = $1 AND partner_id = $2 AND num_nonnulls(applicant_sealed, mobile_hash, pan_hash) > 0
`;

/** Lenders' deadlines, also while offers are compared. */
export const INSTANT_OFFER_TIMES: TimesQuery = () => `
  SELECT offers_due_at AS at FROM instant_loans
  WHERE status = 'PAYMENT_PENDING' AND offers_due_at IS NOT NULL`;

/** When unpaid applications end, and when missing decisions are flagged. */
export const INSTANT_LOAN_TIMES: TimesQuery = () => `
  SELECT CASE WHEN payment_order_id IS NULL
    THEN expires_at - ${SHORTEST_PAGE_LIFE_MS} * interval '1 millisecond' ELSE expires_at END AS at
  FROM instant_loans
  WHERE status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED') AND called_off_at IS NULL
  UNION ALL
  SELECT decision_due_at FROM instant_loans WHERE decision_due_at IS NOT NULL`;
