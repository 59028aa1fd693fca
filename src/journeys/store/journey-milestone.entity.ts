import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Milestone } from '../../journey-steps/index.js';
import { oneOf } from '../../platform/index.js';
import type { JourneyState } from '../domain/journey-state.js';
import { Journey } from './journey.entity.js';

/**
 * TOLD: in the outbox. UNTRUE: the journey moved, or too late. NOBODY: the applicant was erased. NO_TEXT:
 * switched off, or no text in the applicant's language.
 */
export const MILESTONE_OUTCOMES = ['TOLD', 'UNTRUE', 'NOBODY', 'NO_TEXT'] as const;

export type MilestoneOutcome = (typeof MILESTONE_OUTCOMES)[number];

/** An SMS to the applicant: each milestone once a journey. */
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

  /** The state that the text is true in. */
  @Column({ type: 'text' })
  readonly state: JourneyState;

  @Column({ name: 'due_at', type: 'timestamptz' })
  readonly dueAt: Date;

  /** Not sent after it. */
  @Column({ name: 'ends_at', type: 'timestamptz' })
  readonly endsAt: Date;

  @Column({ name: 'noted_at', type: 'timestamptz' })
  readonly notedAt: Date;

  /** Null while it waits. */
  @Column({ type: 'text', nullable: true })
  readonly outcome: MilestoneOutcome | null;

  @Column({ name: 'sms_id', type: 'text', nullable: true })
  readonly smsId: string | null;

  @Column({ name: 'settled_at', type: 'timestamptz', nullable: true })
  readonly settledAt: Date | null;
}
