import { Injectable } from '@nestjs/common';
import { Columns, type DueWork, Tx } from '../../platform/index.js';
import { HAS_NO_INTENT } from './journey-times.js';
import { Journey } from './journey.entity.js';
import type { OwnedJourney } from './journeys.repository.js';

const columns = new Columns(Journey);

export interface RoundTimes {
  readonly isPastDeadline: boolean;
  readonly isGivenUp: boolean;
}

@Injectable()
export class OfferRoundsRepository {
  static readonly DUE: DueWork = {
    isDue: (now) => `
      SELECT true FROM journeys
      WHERE state IN ('INITIATED', 'OFFERS_RECEIVED') AND offers_due_at <= ${now}
      ORDER BY offers_due_at LIMIT 1`,
    times: () => `
      SELECT greatest(j.offers_due_at, j.lease_until) AS at FROM journeys AS j
      WHERE j.state IN ('INITIATED', 'OFFERS_RECEIVED') AND j.offers_due_at IS NOT NULL
        AND ${HAS_NO_INTENT}`,
  };

  /** In seconds from now. */
  async start(
    tx: Tx,
    { id }: Journey,
    round: number,
    seconds: { readonly due: number; readonly givenUp: number },
  ): Promise<Journey> {
    const [row] = await tx.query<Journey>(
      `UPDATE journeys SET offer_round = $2,
         offers_due_at = app_now() + $3 * interval '1 second',
         offers_given_up_at = app_now() + $4 * interval '1 second'
       WHERE id = $1
       RETURNING ${columns.selected()}`,
      [id, round, seconds.due, seconds.givenUp],
    );
    return row;
  }

  /** Equal deadlines: the lenders' own has passed. */
  async timesOf(tx: Tx, journeys: readonly Journey[]): Promise<ReadonlyMap<string, RoundTimes>> {
    const rows = await tx.query<RoundTimes & { id: string }>(
      `SELECT id,
         coalesce(offers_due_at <= (SELECT app_now()) OR offers_due_at = offers_given_up_at, false)
           AS "isPastDeadline",
         coalesce(offers_given_up_at <= (SELECT app_now()), false) AS "isGivenUp"
       FROM journeys WHERE id = ANY ($1)`,
      [journeys.map(({ id }) => id)],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Copied within the database: a Date would lose microseconds, and the two must be equal. */
  async awaitLongDeadline(tx: Tx, journeys: readonly Journey[]): Promise<void> {
    await tx.execute('UPDATE journeys SET offers_due_at = offers_given_up_at WHERE id = ANY ($1)', [
      journeys.map(({ id }) => id),
    ]);
  }

  /** Skips a journey whose choice is in progress. */
  claimDue(tx: Tx, passedOver: readonly string[]): Promise<OwnedJourney | null> {
    return tx.first(
      `SELECT id, partner_id AS "partnerId" FROM journeys AS j
       WHERE state IN ('INITIATED', 'OFFERS_RECEIVED') AND offers_due_at <= app_now()
         AND (lease_until IS NULL OR lease_until < app_now())
         AND ${HAS_NO_INTENT}
         AND id <> ALL ($1::text[])
       ORDER BY offers_due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [passedOver],
    );
  }
}
