import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { SentBody } from '../../lenders/index.js';
import { Columns, Database, Fault, IdGenerator, Keyring, Tx } from '../../platform/index.js';
import { JourneyIntent } from './journey-intent.entity.js';
import type { Journey } from './journey.entity.js';
import type { ActionKind } from '../../journey-steps/index.js';

const columns = new Columns(JourneyIntent);

const PURPOSE = 'journey_intents.payload';
const TOLD_PURPOSE = 'journey_intents.told';
const SENT_PURPOSE = 'journey_intents.sent';
const LEASE_SECONDS = 30;
const ASK_AGAIN_SECONDS = 5;

export type Intent = Pick<
  JourneyIntent,
  'id' | 'journeyId' | 'kind' | 'fence' | 'timesAsked' | 'createdAt'
> & {
  readonly payload: object;
  readonly sent: SentBody;
  readonly isLenderNotified: boolean;
};

type OpenIntent = JourneyIntent & { readonly payloadSealed: string };

interface OrphanRoom {
  readonly most: number;
  readonly aLender: number;
  readonly busy: ReadonlyMap<string, number>;
}

/** An interrupted action; each lender's actions share a lane. */
export interface Orphan {
  readonly partnerId: string;
  readonly journeyId: string;
  readonly lane: string;
}

const OPENED = columns.list([
  'id',
  'partnerId',
  'journeyId',
  'kind',
  'payloadSealed',
  'state',
  'fence',
  'lenderCode',
]);

/** Leases follow the database's clock. */
@Injectable()
export class IntentsRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['payloadSealed']);

  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
  ) {}

  /** Null when the journey moved, or another action holds it. */
  async open(
    journey: Journey,
    kind: ActionKind,
    payload: object,
    lenderCode: string | null = null,
  ): Promise<Intent | null> {
    return this.database.transaction(async (tx) => {
      const fence = await this.takeLease(tx, journey, false);
      if (fence === null) return null;
      const id = this.ids.next('int');
      const [{ createdAt }] = await tx.query<Pick<JourneyIntent, 'createdAt'>>(
        `INSERT INTO journey_intents (${OPENED}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         RETURNING created_at AS "createdAt"`,
        [
          id,
          journey.partnerId,
          journey.id,
          kind,
          this.keyring.seal(JSON.stringify(payload), PURPOSE),
          journey.state,
          fence,
          lenderCode,
        ],
      );
      return {
        id,
        journeyId: journey.id,
        kind,
        payload,
        fence,
        timesAsked: 0,
        createdAt,
        sent: this.sentOf({ id, fence }, null),
        isLenderNotified: false,
      };
    });
  }

  /**
   * Takes over the intent of a dead process; null when there is none.
   * @param pauseSeconds the shortest pause between two questions to its lender
   * @throws Fault lender_unavailable when its lender was asked more recently
   */
  takeOver(journey: Journey, pauseSeconds = 0): Promise<Intent | null> {
    return this.database.transaction((tx) => this.takeOverIn(tx, journey, pauseSeconds));
  }

  async takeOverIn(tx: Tx, journey: Journey, pauseSeconds = 0): Promise<Intent | null> {
    const fence = await this.takeLease(tx, journey, true);
    if (fence === null) return null;
    const [row] = await tx.query<OpenIntent & { readonly isPaused: boolean }>(
      `UPDATE journey_intents SET fence = $2 WHERE journey_id = $1 AND status = 'OPEN'
       RETURNING ${columns.selected()},
         coalesce(asked_at > app_now() - $3 * interval '1 second', false) AS "isPaused"`,
      [journey.id, fence, pauseSeconds],
    );
    // Rolls the takeover back.
    if (row?.isPaused) {
      throw new Fault('lender_unavailable', { retryAfterSeconds: ASK_AGAIN_SECONDS });
    }
    // It was resolved while this transaction waited for the journey's row.
    if (!row) {
      await this.releaseLease(tx, journey.id, fence);
      return null;
    }
    const { id, journeyId, kind, timesAsked, createdAt } = row;
    const opened = { id, journeyId, kind, fence, timesAsked, createdAt };
    return {
      ...opened,
      payload: this.payloadOf(row),
      sent: this.sentOf(opened, row.sentSealed),
      isLenderNotified: row.toldSealed !== null,
    };
  }

  /**
   * Stores the choice that the lender is sent, so that a takeover sends the same.
   * @throws Fault action_in_flight when the intent was taken over
   */
  keepSentChoice(intent: Intent, sentChoice: object): Promise<void> {
    return this.keep(intent, 'told_sealed', JSON.stringify(sentChoice), TOLD_PURPOSE);
  }

  async leaveOpen({ id, journeyId, fence, sent }: Intent, waitMs: number): Promise<void> {
    const { toKeep } = sent;
    await this.database.transaction(async (tx) => {
      await this.releaseLease(tx, journeyId, fence);
      await tx.execute(
        `UPDATE journey_intents SET times_asked = times_asked + 1, asked_at = app_now(),
           next_attempt_at = app_now() + $3 * interval '1 millisecond',
           sent_sealed = coalesce(sent_sealed, $4)
         WHERE id = $1 AND fence = $2 AND status = 'OPEN'`,
        [id, fence, waitMs, toKeep === null ? null : this.keyring.seal(toKeep, SENT_PURPOSE)],
      );
    });
  }

  /**
   * In the transaction that records the outcome.
   * @returns whether its lender may know of it; false when the intent was taken over
   */
  async close(
    tx: Tx,
    intent: Intent,
    status: 'COMPLETED' | 'WITHDRAWN',
  ): Promise<{ wasLenderNotified: boolean }> {
    const [closed] = await tx.query<{ wasLenderNotified: boolean }>(
      `WITH held AS (
         SELECT id, told_sealed IS NOT NULL AS was_told FROM journey_intents
         WHERE id = $1 AND fence = $2 AND status = 'OPEN' FOR UPDATE)
       UPDATE journey_intents AS i
       SET status = $3, told_sealed = NULL, sent_sealed = NULL, resolved_at = app_now()
       FROM held WHERE i.id = held.id RETURNING held.was_told AS "wasLenderNotified"`,
      [intent.id, intent.fence, status],
    );
    await this.releaseLease(tx, intent.journeyId, intent.fence);
    return { wasLenderNotified: closed?.wasLenderNotified ?? false };
  }

  async hasActionInFlight(tx: Tx, { id, partnerId }: Journey): Promise<boolean> {
    return (
      (await tx.value<boolean>(
        `SELECT coalesce(lease_until > app_now(), false) OR EXISTS (
         SELECT FROM journey_intents AS i WHERE i.journey_id = j.id AND i.status = 'OPEN'
       ) AS "isBusy" FROM journeys AS j WHERE id = $1 AND partner_id = $2`,
        [id, partnerId],
      )) ?? false
    );
  }

  /** @returns how many closed intents had personal data */
  erase(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<number> {
    return tx.update(
      JourneyIntent,
      { journeyId, partnerId, status: Not('OPEN'), payloadSealed: Not(IsNull()) },
      { payloadSealed: null },
    );
  }

  async claimOrphans({ most, aLender, busy }: OrphanRoom): Promise<Orphan[]> {
    return this.database.query(CLAIM_ORPHANS, [
      most,
      aLender,
      [...busy.keys()],
      [...busy.values()],
      LEASE_SECONDS,
    ]);
  }

  /** @throws Fault action_in_flight when the intent was taken over */
  private async keep(
    { id, fence }: Pick<Intent, 'id' | 'fence'>,
    column: 'sent_sealed' | 'told_sealed',
    text: string,
    purpose: string,
  ): Promise<void> {
    const kept = await this.database.transaction((tx) =>
      tx.execute(
        `UPDATE journey_intents SET ${column} = $3
         WHERE id = $1 AND fence = $2 AND status = 'OPEN'`,
        [id, fence, this.keyring.seal(text, purpose)],
      ),
    );
    if (kept === 0) throw new Fault('action_in_flight');
  }

  private sentOf(intent: Pick<Intent, 'id' | 'fence'>, sealed: string | null): SentBody {
    const before = sealed && this.keyring.open(sealed, SENT_PURPOSE);
    return new SentBody(before, (body) => this.keep(intent, 'sent_sealed', body, SENT_PURPOSE));
  }

  private payloadOf({ payloadSealed, toldSealed }: OpenIntent): object {
    const payload = JSON.parse(this.keyring.open(payloadSealed, PURPOSE)) as object;
    if (toldSealed === null) return payload;
    const sentChoice = JSON.parse(this.keyring.open(toldSealed, TOLD_PURPOSE)) as object;
    return { ...payload, sentChoice };
  }

  private async releaseLease(tx: Tx, journeyId: string, fence: number): Promise<void> {
    await tx.execute('UPDATE journeys SET lease_until = NULL WHERE id = $1 AND lease_token = $2', [
      journeyId,
      fence,
    ]);
  }

  private async takeLease(
    tx: Tx,
    journey: Journey,
    hasOpenIntent: boolean,
  ): Promise<number | null> {
    return tx.value<number>(
      `UPDATE journeys j SET lease_token = lease_token + 1,
         lease_until = app_now() + $4 * interval '1 second',
         last_activity_at = CASE WHEN $5 THEN last_activity_at ELSE app_now() END
       WHERE id = $1 AND partner_id = $2 AND ($5 OR state = $3)
         AND ($5 OR selected_offer_id IS NOT DISTINCT FROM $6)
         AND (lease_until IS NULL OR lease_until < app_now())
         AND $5 = EXISTS (
           SELECT 1 FROM journey_intents i WHERE i.journey_id = j.id AND i.status = 'OPEN')
       RETURNING lease_token`,
      [
        journey.id,
        journey.partnerId,
        journey.state,
        LEASE_SECONDS,
        hasOpenIntent,
        journey.selectedOfferId,
      ],
    );
  }
}

const CLAIM_ORPHANS = `
  WITH due AS (
    SELECT i.id, lane, due_at,
      row_number() OVER (PARTITION BY lane ORDER BY due_at, i.id) AS place
    FROM journey_intents AS i JOIN journeys AS j ON j.id = i.journey_id
    CROSS JOIN LATERAL (SELECT coalesce(i.lender_code, i.id) AS lane,
      coalesce(i.next_attempt_at, i.created_at) AS due_at) AS known
    WHERE i.status = 'OPEN' AND due_at <= app_now()
      AND (j.lease_until IS NULL OR j.lease_until < app_now())
  ), free AS (
    SELECT i.id, due.lane FROM journey_intents AS i JOIN due ON due.id = i.id
    LEFT JOIN unnest($3::text[], $4::integer[]) AS b (lane, count) ON b.lane = due.lane
    WHERE due.place <= $2 - coalesce(b.count, 0)
      AND i.status = 'OPEN' AND coalesce(i.next_attempt_at, i.created_at) <= app_now()
    ORDER BY due.due_at LIMIT $1
    FOR UPDATE OF i SKIP LOCKED
  )
  UPDATE journey_intents AS i SET next_attempt_at = app_now() + $5 * interval '1 second'
  FROM free WHERE i.id = free.id
  RETURNING i.partner_id AS "partnerId", i.journey_id AS "journeyId", free.lane
`;
