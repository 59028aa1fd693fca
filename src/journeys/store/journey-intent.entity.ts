import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { ActionKind, Milestone } from '../../journey-steps/index.js';
import {
  CountColumn,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  oneOf,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import type { JourneyState } from '../domain/journey-state.js';
import { Journey, JourneyColumn } from './journey.entity.js';

/** What an action will do, stored before the lender is called. */
@Entity('journey_intents')
@Check('journey_intents_payload', `payload_sealed IS NOT NULL OR status <> 'OPEN'`)
@Check('journey_intents_status', `status IN ('OPEN', 'COMPLETED', 'WITHDRAWN')`)
@Index('journey_intents_one_open', ['journeyId'], { unique: true, where: `status = 'OPEN'` })
export class JourneyIntent {
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @TextColumn
  readonly kind: ActionKind;

  /** Null once erased. */
  @NullableTextColumn
  readonly payloadSealed: string | null;

  /** What its lender is sent, while the outcome is unknown; no personal data. */
  @NullableTextColumn
  readonly toldSealed: string | null;

  /** The question as sent, while the outcome is unknown. */
  @NullableTextColumn
  readonly sentSealed: string | null;

  @NullableTextColumn
  readonly lenderCode: string | null;

  @CountColumn
  readonly timesAsked: number;

  @NullableTimeColumn
  readonly askedAt: Date | null;

  /** When the scheduler takes it over; null: at once. */
  @NullableTimeColumn
  readonly nextAttemptAt: Date | null;

  @TextColumn
  readonly state: JourneyState;

  @Column('bigint')
  readonly fence: number;

  @Column('text', { default: 'OPEN' })
  readonly status: 'OPEN' | 'COMPLETED' | 'WITHDRAWN';

  @NowColumn
  readonly createdAt: Date;

  @NullableTimeColumn
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
  @TextKeyColumn
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @TextKeyColumn
  readonly milestone: Milestone;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly state: JourneyState;

  @TimeColumn
  readonly dueAt: Date;

  /** Not sent later. */
  @TimeColumn
  readonly endsAt: Date;

  @TimeColumn
  readonly notedAt: Date;

  /** Null: pending. */
  @NullableTextColumn
  readonly outcome: MilestoneOutcome | null;

  @NullableTextColumn
  readonly smsId: string | null;

  @NullableTimeColumn
  readonly settledAt: Date | null;
}
