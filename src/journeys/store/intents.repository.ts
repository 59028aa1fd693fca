import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Columns, Database, Fault, IdGenerator, Keyring, Tx } from '../../platform/index.js';
import { JourneyIntent } from './journey-intent.entity.js';
import type { Journey } from './journey.entity.js';
import type { ActionKind } from '../domain/action-kind.js';

const columns = new Columns(JourneyIntent);

const PURPOSE = 'journey_intents.payload';
const TOLD_PURPOSE = 'journey_intents.told';
const LEASE_SECONDS = 30;

/** An intent as it is carried out. */
export type Intent = Pick<JourneyIntent, 'id' | 'journeyId' | 'kind' | 'fence' | 'createdAt'> & {
  readonly payload: object;
  /** Whether its lender may have been told before it was taken up this time. */
  readonly isTold: boolean;
};

type OpenIntent = JourneyIntent & { readonly payloadSealed: string };

const OPENED = columns.list([
  'id',
  'partnerId',
  'journeyId',
  'kind',
  'payloadSealed',
  'state',
  'fence',
]);

/** Intents and the lease on the journey that each of them holds; judged by the database's clock. */
@Injectable()
export class IntentsRepository {
  /** What `erase` empties. */
  static readonly PERSONAL_COLUMNS = columns.qualified(['payloadSealed']);

  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
  ) {}

  /** Takes the lease and writes the intent; null when the journey moved or somebody else has it. */
  async open(journey: Journey, kind: ActionKind, payload: object): Promise<Intent | null> {
    return this.database.transaction(async (tx) => {
      const fence = await this.takeLease(tx, journey, false);
      if (fence === null) return null;
      const id = this.ids.next('int');
      const [{ createdAt }] = await tx.query<Pick<JourneyIntent, 'createdAt'>>(
        `INSERT INTO journey_intents (${OPENED}) VALUES ($1, $2, $3, $4, $5, $6, $7)
         RETURNING created_at AS "createdAt"`,
        [
          id,
          journey.partnerId,
          journey.id,
          kind,
          this.keyring.seal(JSON.stringify(payload), PURPOSE),
          journey.state,
          fence,
        ],
      );
      return { id, journeyId: journey.id, kind, payload, fence, createdAt, isTold: false };
    });
  }

  /** Takes over the intent whose holder died; null when there is none, or its holder lives. */
  async takeOver(journey: Journey): Promise<Intent | null> {
    return this.database.transaction(async (tx) => {
      const fence = await this.takeLease(tx, journey, true);
      if (fence === null) return null;
      const [row] = await tx.query<OpenIntent>(
        `UPDATE journey_intents SET fence = $2 WHERE journey_id = $1 AND status = 'OPEN'
         RETURNING ${columns.selected()}`,
        [journey.id, fence],
      );
      // It was resolved while we waited for the journey's row: the lease is nobody's.
      if (!row) {
        await this.giveLeaseBack(tx, journey.id, fence);
        return null;
      }
      return {
        id: row.id,
        journeyId: row.journeyId,
        kind: row.kind,
        payload: this.payloadOf(row),
        fence,
        createdAt: row.createdAt,
        isTold: row.toldSealed !== null,
      };
    });
  }

  /**
   * Keeps what an action's lender is told, as `told` of its payload, for whoever takes it over.
   * @throws Fault action_in_flight when somebody has taken it over already
   */
  async keepTold({ id, fence }: Intent, told: object): Promise<void> {
    const kept = await this.database.transaction((tx) =>
      tx.execute(
        `UPDATE journey_intents SET told_sealed = $3
         WHERE id = $1 AND fence = $2 AND status = 'OPEN'`,
        [id, fence, this.keyring.seal(JSON.stringify(told), TOLD_PURPOSE)],
      ),
    );
    if (kept === 0) throw new Fault('action_in_flight');
  }

  /** Gives the lease back and leaves the intent open: whoever comes next takes it over. */
  async leaveOpen({ journeyId, fence }: Intent): Promise<void> {
    await this.database.transaction((tx) => this.giveLeaseBack(tx, journeyId, fence));
  }

  /**
   * Ends an intent and its lease; part of the transaction that records the outcome.
   * @returns whether its lender may have been told; no when the intent was not ours any more
   */
  async close(
    tx: Tx,
    intent: Intent,
    status: 'COMPLETED' | 'WITHDRAWN',
  ): Promise<{ wasTold: boolean }> {
    const [closed] = await tx.query<{ wasTold: boolean }>(
      `WITH held AS (
         SELECT id, told_sealed IS NOT NULL AS was_told FROM journey_intents
         WHERE id = $1 AND fence = $2 AND status = 'OPEN' FOR UPDATE)
       UPDATE journey_intents AS i
       SET status = $3, told_sealed = NULL, resolved_at = app_now()
       FROM held WHERE i.id = held.id RETURNING held.was_told AS "wasTold"`,
      [intent.id, intent.fence, status],
    );
    await this.giveLeaseBack(tx, intent.journeyId, intent.fence);
    return { wasTold: closed?.wasTold ?? false };
  }

  /** Whether an action holds the journey, or has left an intent that is still to be resolved. */
  async hasActionInFlight(tx: Tx, { id, partnerId }: Journey): Promise<boolean> {
    const [row] = await tx.query<{ isBusy: boolean }>(
      `SELECT coalesce(lease_until > app_now(), false) OR EXISTS (
         SELECT FROM journey_intents AS i WHERE i.journey_id = j.id AND i.status = 'OPEN'
       ) AS "isBusy" FROM journeys AS j WHERE id = $1 AND partner_id = $2`,
      [id, partnerId],
    );
    return row?.isBusy ?? false;
  }

  /** @returns how many intents that are over had personal data left */
  async erase(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<number> {
    const { affected } = await tx
      .repository(JourneyIntent)
      .update(
        { journeyId, partnerId, status: Not('OPEN'), payloadSealed: Not(IsNull()) },
        { payloadSealed: null },
      );
    return affected ?? 0;
  }

  /** Journeys whose action was cut short: an intent is open and its lease has run out. */
  async orphaned(most: number): Promise<{ partnerId: string; journeyId: string }[]> {
    return this.database.query(
      `SELECT i.partner_id AS "partnerId", i.journey_id AS "journeyId"
       FROM journey_intents i JOIN journeys j ON j.id = i.journey_id
       WHERE i.status = 'OPEN' AND (j.lease_until IS NULL OR j.lease_until < app_now())
       ORDER BY i.created_at LIMIT $1`,
      [most],
    );
  }

  private payloadOf({ payloadSealed, toldSealed }: OpenIntent): object {
    const payload = JSON.parse(this.keyring.open(payloadSealed, PURPOSE)) as object;
    if (toldSealed === null) return payload;
    return { ...payload, told: JSON.parse(this.keyring.open(toldSealed, TOLD_PURPOSE)) as object };
  }

  private async giveLeaseBack(tx: Tx, journeyId: string, fence: number): Promise<void> {
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
    const [row] = await tx.query<{ lease_token: number }>(
      `UPDATE journeys j SET lease_token = lease_token + 1,
         lease_until = app_now() + $4 * interval '1 second',
         last_activity_at = CASE WHEN $5 THEN last_activity_at ELSE app_now() END
       WHERE id = $1 AND partner_id = $2 AND ($5 OR state = $3)
         AND (lease_until IS NULL OR lease_until < app_now())
         AND $5 = EXISTS (
           SELECT 1 FROM journey_intents i WHERE i.journey_id = j.id AND i.status = 'OPEN')
       RETURNING lease_token`,
      [journey.id, journey.partnerId, journey.state, LEASE_SECONDS, hasOpenIntent],
    );
    return row?.lease_token ?? null;
  }
}
