import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ActionKind, Milestone } from '../../journey-steps/index.js';
import { CountColumn, NowColumn, NullableColumn, oneOf } from '../../platform/index.js';
import type { JourneyState } from '../domain/journey-state.js';
import { Journey } from './journey.entity.js';

/** What an action will do, stored before the lender is called. */
@Entity('journey_intents')
@Check('journey_intents_payload', `payload_sealed IS NOT NULL OR status <> 'OPEN'`)
@Check('journey_intents_status', `status IN ('OPEN', 'COMPLETED', 'WITHDRAWN')`)
@Index('journey_intents_one_open', ['journeyId'], { unique: true, where: `status = 'OPEN'` })
export class JourneyIntent {
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @Column('text')
  readonly kind: ActionKind;

  /** Null once erased. */
  @NullableColumn('text')
  readonly payloadSealed: string | null;

  /** What its lender is sent, while the outcome is unknown; no personal data. */
  @NullableColumn('text')
  readonly toldSealed: string | null;

  /** The question as sent, while the outcome is unknown. */
  @NullableColumn('text')
  readonly sentSealed: string | null;

  @NullableColumn('text')
  readonly lenderCode: string | null;

  @CountColumn
  readonly timesAsked: number;

  @NullableColumn('timestamptz')
  readonly askedAt: Date | null;

  /** When the scheduler takes it over; null: at once. */
  @NullableColumn('timestamptz')
  readonly nextAttemptAt: Date | null;

  @Column('text')
  readonly state: JourneyState;

  @Column('bigint')
  readonly fence: number;

  @Column('text', { default: 'OPEN' })
  readonly status: 'OPEN' | 'COMPLETED' | 'WITHDRAWN';

  @NowColumn
  readonly createdAt: Date;

  @NullableColumn('timestamptz')
  readonly resolvedAt: Date | null;
}

/**
 * 'TOLD': in the outbox. 'UNTRUE': outdated or too late. 'NOBODY': the applicant was erased. 'NO_TEXT':
 * disabled, or no text in the applicant's language.
 */
const MILESTONE_OUTCOMES = ['TOLD', 'UNTRUE', 'NOBODY', 'NO_TEXT'] as const;

export type MilestoneOutcome = (typeof MILESTONE_OUTCOMES)[number];

/** An SMS to the applicant; each milestone once per journey. */
@Entity('journey_milestones')
@Check('journey_milestones_outcome', oneOf('outcome', MILESTONE_OUTCOMES))
@Check('journey_milestones_settled', `(outcome IS NULL) = (settled_at IS NULL)`)
@Check('journey_milestones_told', `(outcome IS NOT DISTINCT FROM 'TOLD') = (sms_id IS NOT NULL)`)
@Index('journey_milestones_due', ['dueAt'], { where: '(settled_at IS NULL)' })
export class JourneyMilestone {
  @PrimaryColumn('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @PrimaryColumn('text')
  readonly milestone: Milestone;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly state: JourneyState;

  @Column('timestamptz')
  readonly dueAt: Date;

  /** Not sent later. */
  @Column('timestamptz')
  readonly endsAt: Date;

  @Column('timestamptz')
  readonly notedAt: Date;

  /** Null: pending. */
  @NullableColumn('text')
  readonly outcome: MilestoneOutcome | null;

  @NullableColumn('text')
  readonly smsId: string | null;

  @NullableColumn('timestamptz')
  readonly settledAt: Date | null;
}
