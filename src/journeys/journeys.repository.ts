import { Injectable } from '@nestjs/common';
import { Batcher, Database, READS_A_BATCH, Tx } from '../platform/index.js';
import type { Journey } from './journey.js';
import type { JourneyState } from './states/journey-state.js';

const COLUMNS = {
  id: 'id',
  partnerId: 'partner_id',
  keyId: 'key_id',
  applicationId: 'application_id',
  productCode: 'product_code',
  channel: 'channel',
  state: 'state',
  steps: 'steps',
  loanAmount: 'loan_amount',
  applicantSealed: 'applicant_sealed',
  mobileHash: 'mobile_hash',
  panHash: 'pan_hash',
  bankAccountSealed: 'bank_account_sealed',
  sessionHash: 'session_hash',
  offerRound: 'offer_round',
  offersDueAt: 'offers_due_at',
  offersGivenUpAt: 'offers_given_up_at',
  selectedOfferId: 'selected_offer_id',
  selection: 'selection',
  selectedBranchId: 'selected_branch_id',
  redirectId: 'redirect_id',
  isReturned: 'is_returned',
  stepFailures: 'step_failures',
  outcomeReason: 'outcome_reason',
  eventSequence: 'event_sequence',
  leaseToken: 'lease_token',
  leaseUntil: 'lease_until',
  lastActivityAt: 'last_activity_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  finishedAt: 'finished_at',
  disbursedAt: 'disbursed_at',
} as const satisfies Record<keyof Journey, string>;

const SELECTED = selected('');

function selected(prefix: string): string {
  return Object.entries(COLUMNS)
    .map(([property, column]) => `${prefix}${column} AS "${property}"`)
    .join(', ');
}

/** What may change in a journey; times that the database's clock judges are set by it. */
export type JourneyChanges = Partial<
  Omit<Journey, 'id' | 'partnerId' | 'createdAt' | 'updatedAt' | 'leaseToken' | 'leaseUntil'>
>;

export type NewJourney = Pick<
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
  | 'applicantSealed'
  | 'mobileHash'
  | 'panHash'
  | 'sessionHash'
  | 'eventSequence'
> & {
  /** Seconds from now to the lenders' two deadlines; absent while no lender is asked. */
  readonly offersDueIn?: number;
  readonly offersGivenUpIn?: number;
};

const INSERTED = [
  'id',
  'partnerId',
  'keyId',
  'applicationId',
  'productCode',
  'channel',
  'state',
  'steps',
  'loanAmount',
  'applicantSealed',
  'mobileHash',
  'panHash',
  'sessionHash',
  'eventSequence',
] as const;

// OFFSET 0 keeps the inner query apart: merged into the outer one, it would read each record once a
// column.
const INSERT = `
  INSERT INTO journeys (${INSERTED.map((property) => COLUMNS[property]).join(', ')},
    offers_due_at, offers_given_up_at, last_activity_at, created_at, updated_at)
  SELECT ${INSERTED.map((property) => `(j.row).${COLUMNS[property]}`).join(', ')},
    t.now + j.due_in * interval '1 second', t.now + j.given_up_in * interval '1 second',
    t.now, t.now, t.now
  FROM (SELECT app_now() AS now) AS t, (
    SELECT jsonb_populate_record(NULL::journeys, r) AS row,
      (r ->> 'due_in')::integer AS due_in, (r ->> 'given_up_in')::integer AS given_up_in
    FROM jsonb_array_elements($1) AS r OFFSET 0
  ) AS j
  RETURNING ${SELECTED}`;

/** A journey as it is asked for: by its owner and its id. */
interface Asked {
  readonly partnerId: string;
  readonly id: string;
}

function toRow(journey: NewJourney): Record<string, unknown> {
  const columns = INSERTED.map((property) => [COLUMNS[property], journey[property]] as const);
  return {
    ...Object.fromEntries(columns),
    due_in: journey.offersDueIn,
    given_up_in: journey.offersGivenUpIn,
  };
}

@Injectable()
export class JourneysRepository {
  /** Requests that ask at the same moment share one round trip. */
  private readonly reads: Batcher<Asked, Journey | null>;

  constructor(private readonly database: Database) {
    this.reads = new Batcher({ ...READS_A_BATCH, run: (asked) => this.findAll(asked) });
  }

  /** Writes new journeys and answers them in the same order. */
  async insertAll(tx: Tx, journeys: readonly NewJourney[]): Promise<Journey[]> {
    const inserted = await tx.query<Journey>(INSERT, [JSON.stringify(journeys.map(toRow))]);
    const byId = new Map(inserted.map((journey) => [journey.id, journey]));
    return journeys.map(({ id }) => byId.get(id)!);
  }

  async find(partnerId: string, id: string): Promise<Journey | null> {
    return this.reads.add({ partnerId, id });
  }

  private async findAll(asked: readonly Asked[]): Promise<(Journey | null)[]> {
    const rows = await this.database.prepared<Journey & Record<string, unknown>>(
      'journeys-by-id',
      `SELECT ${SELECTED} FROM journeys WHERE id = ANY ($1)`,
      [asked.map(({ id }) => id)],
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return asked.map(({ partnerId, id }) => {
      const journey = found.get(id);
      return journey?.partnerId === partnerId ? journey : null;
    });
  }

  /** For link tokens, which are their own proof: the journey without its owner. */
  async findByLink(id: string): Promise<Journey | null> {
    const [row] = await this.database.query<Journey & Record<string, unknown>>(
      `SELECT ${SELECTED} FROM journeys WHERE id = $1`,
      [id],
    );
    return row ?? null;
  }

  /** The journey as it is now, held against every other change until the transaction ends. */
  async lock(tx: Tx, partnerId: string, id: string): Promise<Journey | null> {
    const [row] = await tx.query<Journey>(
      `SELECT ${SELECTED} FROM journeys WHERE id = $1 AND partner_id = $2 FOR UPDATE`,
      [id, partnerId],
    );
    return row ?? null;
  }

  /**
   * Those of the journeys that nobody else holds at this moment, held until the transaction ends; it
   * waits for none of the others.
   */
  async lockFree(tx: Tx, asked: readonly Asked[]): Promise<Journey[]> {
    return tx.query<Journey>(
      `SELECT ${SELECTED} FROM journeys
       WHERE (id, partner_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
       FOR UPDATE SKIP LOCKED`,
      [asked.map(({ id }) => id), asked.map(({ partnerId }) => partnerId)],
    );
  }

  /** Changes a journey on the condition that it still is in `expected`; null when it is not. */
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
   * The same for several journeys, each of them once.
   * @param changed the same properties of each of them
   * @returns the journeys in the same order
   * @throws Error when they are to change unlike: what only some name would be lost
   */
  async changeAll(
    tx: Tx,
    expected: JourneyState,
    changed: readonly { readonly journey: Journey; readonly changes: JourneyChanges }[],
  ): Promise<(Journey | null)[]> {
    const properties = Object.keys(changed[0]?.changes ?? {}) as (keyof JourneyChanges)[];
    if (!changed.every(({ changes }) => namesExactly(changes, properties))) {
      throw new Error('journeys that change together must change the same properties');
    }
    const columns = properties.map((property) => COLUMNS[property]);
    const rows = changed.map(({ journey, changes }) => ({
      id: journey.id,
      partner_id: journey.partnerId,
      ...Object.fromEntries(
        properties.map((property) => [COLUMNS[property], toColumn(changes[property])]),
      ),
    }));
    const sets = columns.map((column) => `${column} = c.${column}`);
    const written = await tx.query<Journey>(
      `UPDATE journeys AS j SET ${[...sets, 'updated_at = app_now()'].join(', ')}
       FROM jsonb_populate_recordset(NULL::journeys, $1) AS c
       WHERE j.id = c.id AND j.partner_id = c.partner_id AND j.state = $2 AND j.id = ANY ($3)
       RETURNING ${selected('j.')}`,
      // The ids once more: of them the planner sees how few there are, of the records it does not.
      [JSON.stringify(rows), expected, rows.map(({ id }) => id)],
    );
    const byId = new Map(written.map((journey) => [journey.id, journey]));
    return changed.map(({ journey }) => byId.get(journey.id) ?? null);
  }

  /** Records that the applicant or the partner did something. */
  async touch(tx: Tx, journey: Journey): Promise<void> {
    await tx.execute(
      'UPDATE journeys SET last_activity_at = app_now() WHERE id = $1 AND partner_id = $2',
      [journey.id, journey.partnerId],
    );
  }
}

function namesExactly(changes: JourneyChanges, properties: readonly string[]): boolean {
  return (
    Object.keys(changes).length === properties.length &&
    properties.every((property) => property in changes)
  );
}

function toColumn(value: unknown): unknown {
  return value instanceof Date ? timeText(value) : value;
}

/** A time as PostgreSQL reads it: JavaScript writes years past 9999, and before 1, otherwise. */
function timeText(time: Date): string {
  const [, year, rest] = /^([+-]?\d+)(-.*)$/.exec(time.toISOString())!;
  const digits = String(Math.abs(Number(year) > 0 ? Number(year) : 1 - Number(year)));
  return `${digits.padStart(4, '0')}${rest}${Number(year) > 0 ? '' : ' BC'}`;
}
