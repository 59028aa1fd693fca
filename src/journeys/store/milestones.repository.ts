import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Milestone } from '../../journey-steps/index.js';
import { appNow, Columns, dueRows, Tx } from '../../platform/index.js';
import { JourneyMilestone, type MilestoneOutcome } from './journey-intent.entity.js';
import type { OwnedJourney } from './journeys.repository.js';

const columns = new Columns(JourneyMilestone);

/** As long as a link works. */
const NEWS_HOURS = 72;

type MilestoneKey = Pick<JourneyMilestone, 'journeyId' | 'milestone'>;

/** Without times: due at once and for three days. */
export type NewMilestone = MilestoneKey &
  Pick<JourneyMilestone, 'partnerId' | 'state'> &
  Partial<Pick<JourneyMilestone, 'dueAt' | 'endsAt'>>;

export interface DueMilestone extends OwnedJourney, Pick<JourneyMilestone, 'milestone'> {}

export interface WaitingMilestone extends MilestoneKey, Pick<JourneyMilestone, 'state' | 'endsAt'> {
  readonly isOver: boolean;
  readonly secondsLeft: number;
}

/** The caller holds the journey's lock. */
@Injectable()
export class MilestonesRepository {
  static readonly DUE = dueRows({
    table: 'journey_milestones',
    at: 'due_at',
    where: 'settled_at IS NULL',
  });

  /** A sent milestone is unchanged; one never sent is scheduled again. */
  async note(tx: Tx, noted: readonly NewMilestone[]): Promise<void> {
    await tx.execute(NOTE, [JSON.stringify(noted.map((one) => columns.toRecord(one))), NEWS_HOURS]);
  }

  /**
   * Settles the pending milestones of journeys that moved, except those of the move.
   * @returns the messages of those already sent
   */
  async settleOutdated(
    tx: Tx,
    journeyIds: readonly string[],
    brought: readonly Milestone[],
  ): Promise<string[]> {
    const sent = await tx.query<{ id: string }>(SETTLE_OUTDATED, [journeyIds, brought]);
    return sent.map(({ id }) => id);
  }

  /** Milestones whose SMS was stopped can be scheduled again. */
  async reopen(tx: Tx, journeyIds: readonly string[], smsIds: readonly string[]): Promise<void> {
    await tx.update(
      JourneyMilestone,
      { journeyId: In(journeyIds), smsId: In(smsIds) },
      { outcome: 'UNTRUE', smsId: null },
    );
  }

  claimDue(tx: Tx, passedOver: readonly string[]): Promise<DueMilestone | null> {
    return tx.first(CLAIM_DUE, [passedOver]);
  }

  /** Null when it was settled just before the lock. */
  waiting(tx: Tx, { id, milestone }: DueMilestone): Promise<WaitingMilestone | null> {
    return tx.first(WAITING, [id, milestone]);
  }

  async settle(
    tx: Tx,
    { journeyId, milestone }: MilestoneKey,
    outcome: MilestoneOutcome,
    smsId: string | null,
  ): Promise<void> {
    await tx.update(
      JourneyMilestone,
      { journeyId, milestone },
      { outcome, smsId, settledAt: appNow },
    );
  }

  async defer(tx: Tx, { journeyId, milestone }: MilestoneKey, dueAt: Date): Promise<void> {
    await tx.update(JourneyMilestone, { journeyId, milestone }, { dueAt });
  }
}

const NOTE = `
  INSERT INTO journey_milestones AS m
    (journey_id, milestone, partner_id, state, due_at, ends_at, noted_at)
  SELECT n.journey_id, n.milestone, n.partner_id, n.state, coalesce(n.due_at, t.now),
    coalesce(n.ends_at, t.now + $2 * interval '1 hour'), t.now
  FROM (SELECT app_now() AS now) AS t, jsonb_populate_recordset(NULL::journey_milestones, $1) AS n
  ON CONFLICT (journey_id, milestone) DO UPDATE SET state = excluded.state,
    due_at = excluded.due_at, ends_at = excluded.ends_at, noted_at = excluded.noted_at,
    outcome = NULL, settled_at = NULL
  WHERE m.outcome IS DISTINCT FROM 'TOLD'
`;

// `settled_at IS NULL` would make PostgreSQL read the whole index of pending milestones.
const SETTLE_OUTDATED = `
  WITH untrue AS (
    UPDATE journey_milestones SET outcome = 'UNTRUE', settled_at = app_now()
    WHERE journey_id = ANY ($1) AND milestone <> ALL ($2) AND outcome IS NULL
  )
  SELECT sms_id AS id FROM journey_milestones
  WHERE journey_id = ANY ($1) AND milestone <> ALL ($2) AND outcome = 'TOLD'
`;

const CLAIM_DUE = `
  SELECT j.id, j.partner_id AS "partnerId", m.milestone
  FROM journey_milestones AS m JOIN journeys AS j ON j.id = m.journey_id
  WHERE m.settled_at IS NULL AND m.due_at <= app_now() AND j.id <> ALL ($1::text[])
  ORDER BY m.due_at LIMIT 1 FOR UPDATE OF j SKIP LOCKED
`;

const WAITING = `
  SELECT ${columns.selected(['journeyId', 'milestone', 'state', 'endsAt'])},
    ends_at <= app_now() AS "isOver",
    greatest(1, floor(extract(epoch FROM ends_at - app_now())))::int AS "secondsLeft"
  FROM journey_milestones
  WHERE journey_id = $1 AND milestone = $2 AND settled_at IS NULL AND due_at <= app_now()
`;
