import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ActionKind, Milestone } from '../../journey-steps/index.js';
import { oneOf } from '../../platform/index.js';
import type { JourneyState } from '../domain/journey-state.js';
import { Journey } from './journey.entity.js';

/** What an action will do, stored before the lender is called. */
@Entity('journey_intents')
@Check('journey_intents_payload', `payload_sealed IS NOT NULL OR status <> 'OPEN'`)
@Check('journey_intents_status', `status IN ('OPEN', 'COMPLETED', 'WITHDRAWN')`)
@Index('journey_intents_one_open', ['journeyId'], { unique: true, where: `status = 'OPEN'` })
export class JourneyIntent {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journey_intents_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'journey_intents_journey' })
  readonly journeyId: string;

  @Column({ type: 'text' })
  readonly kind: ActionKind;

  /** Null once erased. */
  @Column({ name: 'payload_sealed', type: 'text', nullable: true })
  readonly payloadSealed: string | null;

  /** What its lender is sent, while the outcome is unknown; no personal data. */
  @Column({ name: 'told_sealed', type: 'text', nullable: true })
  readonly toldSealed: string | null;

  /** The question as sent, while the outcome is unknown. */
  @Column({ name: 'sent_sealed', type: 'text', nullable: true })
  readonly sentSealed: string | null;

  @Column({ name: 'lender_code', type: 'text', nullable: true })
  readonly lenderCode: string | null;

  @Column({ name: 'times_asked', type: 'integer', default: 0 })
  readonly timesAsked: number;

  @Column({ name: 'asked_at', type: 'timestamptz', nullable: true })
  readonly askedAt: Date | null;

  /** When the scheduler takes it over; null: at once. */
  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  readonly nextAttemptAt: Date | null;

  @Column({ type: 'text' })
  readonly state: JourneyState;

  @Column({ type: 'bigint' })
  readonly fence: number;

  @Column({ type: 'text', default: 'OPEN' })
  readonly status: 'OPEN' | 'COMPLETED' | 'WITHDRAWN';

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;

  @Column({ name: 'resolved_at', type: 'timestamptz', nullable: true })
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
  @PrimaryColumn({
    name: 'journey_id',
    type: 'text',
    primaryKeyConstraintName: 'journey_milestones_pkey',
  })
  @ForeignKey(() => Journey, 'id', { name: 'journey_milestones_journey' })
  readonly journeyId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journey_milestones_pkey' })
  readonly milestone: Milestone;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ type: 'text' })
  readonly state: JourneyState;

  @Column({ name: 'due_at', type: 'timestamptz' })
  readonly dueAt: Date;

  /** Not sent later. */
  @Column({ name: 'ends_at', type: 'timestamptz' })
  readonly endsAt: Date;

  @Column({ name: 'noted_at', type: 'timestamptz' })
  readonly notedAt: Date;

  /** Null: pending. */
  @Column({ type: 'text', nullable: true })
  readonly outcome: MilestoneOutcome | null;

  @Column({ name: 'sms_id', type: 'text', nullable: true })
  readonly smsId: string | null;

  @Column({ name: 'settled_at', type: 'timestamptz', nullable: true })
  readonly settledAt: Date | null;
}
