import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  appNow,
  Batcher,
  type ColumnOf,
  Columns,
  Database,
  Fault,
  oneOf,
  READS_A_BATCH,
  RowArrays,
  Tx,
} from '../../platform/index.js';
import { DECISION } from '../../journey-steps/index.js';
import { type JourneyState, NEVER_IDLE } from '../domain/journey-state.js';
import { Journey } from './journey.entity.js';

const columns = new Columns(Journey);

/** Without the times that the database's clock sets. */
export type JourneyChanges = Partial<
  Omit<Journey, 'id' | 'partnerId' | 'createdAt' | 'updatedAt' | 'leaseToken' | 'leaseUntil'>
>;

type Beginning = Pick<
  Journey,
  | 'id'
  | 'partnerId'
  | 'keyId'
  | 'applicationId'
  | 'productCode'
  | 'channel'
  | 'state'
  | 'steps'
  | 'loanAmount'
  | 'loanAmountSource'
>;

/** Absent fields have the column's default. */
export type NewJourney = Beginning &
  Omit<JourneyChanges, keyof Beginning | 'lastActivityAt' | 'offersDueAt' | 'offersGivenUpAt'> & {
    /** Seconds to the lenders' two deadlines; absent while no lender is asked. */
    readonly offersDueIn?: number;
    readonly offersGivenUpIn?: number;
  };

export type OwnedJourney = Pick<Journey, 'id' | 'partnerId'>;

@Injectable()
export class JourneysRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified([
    'referenceSealed',
    'applicantSealed',
    'mobileHash',
    'panHash',
    'bankAccountSealed',
  ]);

  private readonly reads: Batcher<OwnedJourney, Journey | null>;

  constructor(private readonly database: Database) {
    this.reads = new Batcher({ ...READS_A_BATCH, run: (asked) => this.findAll(asked) });
  }

  /**
   * @param journeys all with the same properties
   * @returns in the same order
   */
  async insertAll(tx: Tx, journeys: readonly NewJourney[]): Promise<Journey[]> {
    const given = sameKeys(
      journeys.map(({ offersDueIn: _due, offersGivenUpIn: _givenUp, ...journey }) => journey),
    );
    const rows = new RowArrays(columns, given, {
      beside: ['offersDueIn', 'offersGivenUpIn'],
      more: TIMES_OF_NEW,
    });
    const inserted = await tx.query<Journey>(insertOf(rows), rows.values(journeys));
    const byId = new Map(inserted.map((journey) => [journey.id, journey]));
    return journeys.map(({ id }) => byId.get(id)!);
  }

  find(partnerId: string, id: string): Promise<Journey | null> {
    return this.reads.add({ partnerId, id });
  }

  private async findAll(asked: readonly OwnedJourney[]): Promise<(Journey | null)[]> {
    const rows = await this.database.prepared<Journey>(
      'journeys-by-id',
      `SELECT ${columns.selected()} FROM journeys WHERE id = ANY ($1)`,
      [[...new Set(asked.map(({ id }) => id))]],
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return asked.map(({ partnerId, id }) => {
      const journey = found.get(id);
      return journey?.partnerId === partnerId ? journey : null;
    });
  }

  async findByLink(id: string): Promise<Journey | null> {
    return this.database.with(Journey, (journeys) => journeys.findOneBy({ id }));
  }

  /**
   * An open hosted journey of the mobile, else the newest. Instant loans have their own link. Any partner's: the
   * applicant may not know it.
   */
  newestHosted(tx: Tx, mobileHashes: readonly string[]): Promise<OwnedJourney | null> {
    return tx.first(
      `SELECT id, partner_id AS "partnerId" FROM journeys
       WHERE mobile_hash = ANY ($1) AND channel = 'API_HOSTED' AND NOT ${IS_INSTANT}
       ORDER BY finished_at IS NULL DESC, created_at DESC, id DESC LIMIT 1`,
      [mobileHashes],
    );
  }

  async findOf(
    tx: Tx,
    by: 'id' | 'applicationId' | 'mobileHash' | 'panHash',
    values: readonly string[],
  ): Promise<OwnedJourney[]> {
    return tx.repository(Journey).find({
      select: { id: true, partnerId: true },
      where: { [by]: In(values) },
      order: { id: 'ASC' },
    });
  }

  lock(tx: Tx, partnerId: string, id: string): Promise<Journey | null> {
    return tx.first(
      `SELECT ${columns.selected()} FROM journeys WHERE id = $1 AND partner_id = $2 FOR UPDATE`,
      [id, partnerId],
    );
  }

  /** @throws Fault journey_not_found */
  async lockHosted(
    tx: Tx,
    { partnerId, journeyId }: { readonly partnerId: string; readonly journeyId: string },
  ): Promise<Journey> {
    const journey = await this.lock(tx, partnerId, journeyId);
    if (journey?.channel !== 'API_HOSTED') throw new Fault('journey_not_found');
    return journey;
  }

  /** Skips locked journeys. */
  async lockFree(tx: Tx, asked: readonly OwnedJourney[]): Promise<Journey[]> {
    return tx.query(
      `SELECT ${columns.selected(undefined, 'j')}
       FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS a (id, partner_id)) AS asked
       CROSS JOIN LATERAL (
         SELECT * FROM journeys WHERE id = asked.id OFFSET 0 FOR UPDATE SKIP LOCKED) AS j
       WHERE j.partner_id = asked.partner_id`,
      [asked.map(({ id }) => id), asked.map(({ partnerId }) => partnerId)],
    );
  }

  claimIdle(tx: Tx, days: number, passedOver: readonly string[]): Promise<OwnedJourney | null> {
    return tx.first(CLAIM_IDLE, [days, passedOver]);
  }

  /** Null when the journey has left `expected`. */
  async change(
    tx: Tx,
    journey: Journey,
    expected: JourneyState,
    changes: JourneyChanges,
  ): Promise<Journey | null> {
    const [changed] = await this.changeAll(tx, expected, [{ journey, changes }]);
    return changed;
  }

  /**
   * @param changed each journey once, all with the same properties
   * @returns in the same order
   */
  async changeAll(
    tx: Tx,
    expected: JourneyState,
    changed: readonly { readonly journey: Journey; readonly changes: JourneyChanges }[],
  ): Promise<(Journey | null)[]> {
    const given = sameKeys(changed.map(({ changes }) => changes));
    const sets = given.map((property) => `${columns.name(property)} = c.${columns.name(property)}`);
    const rows = new RowArrays(columns, ['id', 'partnerId', ...given], { first: 2 });
    const written = await tx.query<Journey>(
      `UPDATE journeys AS j SET ${[...sets, 'updated_at = (SELECT app_now())'].join(', ')}
       FROM (${rows.select}) AS c
       WHERE j.id = ANY (ARRAY[c.id]) AND j.partner_id = c.partner_id AND j.state = $1
       RETURNING ${columns.selected(undefined, 'j')}`,
      [
        expected,
        ...rows.values(
          changed.map(({ journey: { id, partnerId }, changes }) => ({ ...changes, id, partnerId })),
        ),
      ],
    );
    const byId = new Map(written.map((journey) => [journey.id, journey]));
    return changed.map(({ journey }) => byId.get(journey.id) ?? null);
  }

  async finish(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.execute('UPDATE journeys SET finished_at = updated_at WHERE id = ANY ($1)', [ids]);
  }

  async redirectTo(
    tx: Tx,
    journey: Journey,
    redirect: { readonly id: string; readonly attempt: number },
  ): Promise<Journey> {
    const [row] = await tx.query<Journey>(
      `UPDATE journeys SET redirect_id = $2, is_returned = false, step_failures = $3,
         updated_at = app_now()
       WHERE id = $1 RETURNING ${columns.selected()}`,
      [journey.id, redirect.id, redirect.attempt - 1],
    );
    return row;
  }

  async touch(tx: Tx, { id, partnerId }: OwnedJourney): Promise<void> {
    await tx.update(Journey, { id, partnerId }, { lastActivityAt: appNow });
  }

  /** @returns how many journeys still had personal data */
  async eraseApplicant(tx: Tx, { id, partnerId }: OwnedJourney): Promise<number> {
    return tx.execute(ERASE_APPLICANT, [id, partnerId]);
  }
}

export const IS_INSTANT = `'${DECISION.name}' = ANY (steps)`;

/** @throws Error when properties differ: one would be lost */
function sameKeys(records: readonly object[]): ColumnOf<Journey>[] {
  const keys = Object.keys(records[0] ?? {}) as ColumnOf<Journey>[];
  const areSame = records.every(
    (record) => Object.keys(record).length === keys.length && keys.every((key) => key in record),
  );
  if (!areSame) throw new Error('journeys that are written together must have the same properties');
  return keys;
}

// One moment for all times of a journey.
const TIMES_OF_NEW = `
  t.now + "offersDueIn"::integer * interval '1 second',
  t.now + "offersGivenUpIn"::integer * interval '1 second', t.now, t.now, t.now`;

function insertOf({ list, select }: RowArrays<Journey>): string {
  return `
  WITH t AS MATERIALIZED (SELECT app_now() AS now)
  INSERT INTO journeys (${list},
    offers_due_at, offers_given_up_at, last_activity_at, created_at, updated_at)
  ${select}, t
  RETURNING ${columns.selected()}`;
}

export const CLAIM_IDLE = `
  SELECT j.id, j.partner_id AS "partnerId" FROM journeys j
  WHERE NOT ${oneOf('j.state', NEVER_IDLE)}
    AND j.last_activity_at <= app_now() - $1 * interval '24 hours'
    AND j.id <> ALL ($2::text[]) AND NOT ${IS_INSTANT}
    AND (j.lease_until IS NULL OR j.lease_until < app_now())
    AND NOT EXISTS (
      SELECT 1 FROM journey_intents i WHERE i.journey_id = j.id AND i.status = 'OPEN')
  ORDER BY j.last_activity_at LIMIT 1 FOR UPDATE OF j SKIP LOCKED
`;

const ERASE_APPLICANT = `
  UPDATE journeys
  SET reference_sealed = NULL, applicant_sealed = NULL, mobile_hash = NULL, pan_hash = NULL, bank_account_sealed = NULL,
    payout = payout - 'accountLastFour'
  WHERE id = $1 AND partner_id = $2
    AND num_nonnulls(reference_sealed, applicant_sealed, mobile_hash, pan_hash, bank_account_sealed) > 0
`;
