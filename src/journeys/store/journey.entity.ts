import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { JourneyStep } from '../../journey-steps/index.js';
import type { LoanAmountSource } from '../../leads/index.js';
import { Application } from '../../leads/store/application.entity.js';
import type { Paise } from '../../loans/index.js';
import { Leased, oneOf, paise } from '../../platform/index.js';
import {
  JOURNEY_STATES,
  type JourneyState,
  NEVER_IDLE,
  type OutcomeReason,
} from '../domain/journey-state.js';
import type { Channel, EndedRound, Payout, Selection } from '../domain/journey.js';

@Entity('journeys')
@Check('journeys_channel', `channel IN ('API_HOSTED', 'API_HEADLESS')`)
@Check('journeys_state', oneOf('state', JOURNEY_STATES))
@Index('journeys_offers_due', ['offersDueAt'], {
  where: `state IN ('INITIATED', 'OFFERS_RECEIVED')`,
})
@Index('journeys_idle', ['lastActivityAt'], {
  where: `NOT ${oneOf('state', NEVER_IDLE)}`,
})
@Index('journeys_by_mobile', ['mobileHash'])
@Index('journeys_by_pan', ['panHash'])
export class Journey extends Leased {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journeys_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'journeys_partner' })
  readonly partnerId: string;

  @Column({ name: 'key_id', type: 'text' })
  readonly keyId: string;

  @Column({ name: 'application_id', type: 'text' })
  @ForeignKey(() => Application, 'id', { name: 'journeys_application' })
  readonly applicationId: string;

  @Column({ name: 'product_code', type: 'text' })
  readonly productCode: string;

  @Column({ type: 'text' })
  readonly channel: Channel;

  @Column({ type: 'text' })
  readonly state: JourneyState;

  @Column({ type: 'text', array: true })
  readonly steps: readonly JourneyStep[];

  @Column({ name: 'loan_amount', type: 'bigint', transformer: paise })
  readonly loanAmount: Paise;

  @Column({ name: 'loan_amount_source', type: 'text' })
  readonly loanAmountSource: LoanAmountSource;

  /** The lead's, so that events and answers need no second read. */
  @Column({ name: 'reference_sealed', type: 'text', nullable: true })
  readonly referenceSealed: string | null;

  @Column({ name: 'applicant_sealed', type: 'text', nullable: true })
  readonly applicantSealed: string | null;

  @Column({ name: 'mobile_hash', type: 'text', nullable: true })
  readonly mobileHash: string | null;

  @Column({ name: 'pan_hash', type: 'text', nullable: true })
  readonly panHash: string | null;

  @Column({ name: 'bank_account_sealed', type: 'text', nullable: true })
  readonly bankAccountSealed: string | null;

  @Column({ name: 'session_hash', type: 'text', nullable: true })
  readonly sessionHash: string | null;

  @Column({ name: 'offer_round', type: 'integer', default: 1 })
  readonly offerRound: number;

  /** INITIATED: the lenders' deadline; OFFERS_RECEIVED: when the last offer expires. */
  @Column({ name: 'offers_due_at', type: 'timestamptz', nullable: true })
  readonly offersDueAt: Date | null;

  @Column({ name: 'offers_given_up_at', type: 'timestamptz', nullable: true })
  readonly offersGivenUpAt: Date | null;

  @Column({ name: 'lenders_without_offer', type: 'jsonb', nullable: true })
  readonly lendersWithoutOffer: EndedRound | null;

  @Column({ name: 'selected_offer_id', type: 'text', nullable: true })
  readonly selectedOfferId: string | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly selection: Selection | null;

  @Column({ name: 'selected_branch_id', type: 'text', nullable: true })
  readonly selectedBranchId: string | null;

  @Column({ name: 'redirect_id', type: 'text', nullable: true })
  readonly redirectId: string | null;

  /** The applicant has returned from the redirect; there is no verdict. */
  @Column({ name: 'is_returned', type: 'boolean', default: false })
  readonly isReturned: boolean;

  @Column({ name: 'step_failures', type: 'integer', default: 0 })
  readonly stepFailures: number;

  @Column({ name: 'outcome_reason', type: 'text', nullable: true })
  readonly outcomeReason: OutcomeReason | null;

  @Column({ name: 'event_sequence', type: 'integer', default: 0 })
  readonly eventSequence: number;

  @Column({ name: 'last_activity_at', type: 'timestamptz' })
  readonly lastActivityAt: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  readonly updatedAt: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  readonly finishedAt: Date | null;

  @Column({ name: 'disbursed_at', type: 'timestamptz', nullable: true })
  readonly disbursedAt: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly payout: Payout | null;
}

@Entity('journey_audit')
@Index('journey_audit_by_journey', ['journeyId'])
export class JourneyAuditRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'journey_audit_pkey',
  })
  readonly id: number;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  readonly journeyId: string;

  @Column({ type: 'text' })
  readonly trigger: string;

  @Column({ name: 'from_state', type: 'text', nullable: true })
  readonly fromState: JourneyState | null;

  @Column({ name: 'to_state', type: 'text' })
  readonly toState: JourneyState;

  @Column({ type: 'jsonb' })
  readonly detail: object;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
