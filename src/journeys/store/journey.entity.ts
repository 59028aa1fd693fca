import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import { Application } from '../../leads/store/application.entity.js';

@Entity('journeys')
@Check('journeys_channel', `channel IN ('API_HOSTED', 'API_HEADLESS')`)
@Check(
  'journeys_state',
  `state IN ('INITIATED', 'OFFERS_RECEIVED', 'OFFER_SELECTED',
      'KYC_PENDING', 'BANK_ACCOUNT_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING',
      'DISBURSEMENT_PENDING', 'SANCTIONED', 'REJECTED', 'ABANDONED')`,
)
@Index('journeys_offers_due', ['offersDueAt'], {
  where: `state IN ('INITIATED', 'OFFERS_RECEIVED')`,
})
@Index('journeys_idle', ['lastActivityAt'], {
  where: `state NOT IN ('DISBURSEMENT_PENDING', 'SANCTIONED', 'REJECTED', 'ABANDONED')`,
})
@Index('journeys_by_mobile', ['mobileHash'])
@Index('journeys_by_pan', ['panHash'])
export class JourneyRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journeys_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'journeys_partner' })
  partnerId: string;

  @Column({ name: 'key_id', type: 'text' })
  keyId: string;

  @Column({ name: 'application_id', type: 'text' })
  @ForeignKey(() => Application, 'id', { name: 'journeys_application' })
  applicationId: string;

  @Column({ name: 'product_code', type: 'text' })
  productCode: string;

  @Column({ type: 'text' })
  channel: string;

  @Column({ type: 'text' })
  state: string;

  @Column({ type: 'text', array: true })
  steps: string[];

  @Column({ name: 'loan_amount', type: 'bigint' })
  loanAmount: number;

  @Column({ name: 'applicant_sealed', type: 'text', nullable: true })
  applicantSealed: string | null;

  @Column({ name: 'mobile_hash', type: 'text', nullable: true })
  mobileHash: string | null;

  @Column({ name: 'pan_hash', type: 'text', nullable: true })
  panHash: string | null;

  @Column({ name: 'bank_account_sealed', type: 'text', nullable: true })
  bankAccountSealed: string | null;

  @Column({ name: 'session_hash', type: 'text', nullable: true })
  sessionHash: string | null;

  @Column({ name: 'offer_round', type: 'integer', default: 1 })
  offerRound: number;

  @Column({ name: 'offers_due_at', type: 'timestamptz', nullable: true })
  offersDueAt: Date | null;

  @Column({ name: 'offers_given_up_at', type: 'timestamptz', nullable: true })
  offersGivenUpAt: Date | null;

  @Column({ name: 'selected_offer_id', type: 'text', nullable: true })
  selectedOfferId: string | null;

  @Column({ type: 'jsonb', nullable: true })
  selection: object | null;

  @Column({ name: 'selected_branch_id', type: 'text', nullable: true })
  selectedBranchId: string | null;

  @Column({ name: 'redirect_id', type: 'text', nullable: true })
  redirectId: string | null;

  @Column({ name: 'is_returned', type: 'boolean', default: false })
  isReturned: boolean;

  @Column({ name: 'step_failures', type: 'integer', default: 0 })
  stepFailures: number;

  @Column({ name: 'outcome_reason', type: 'text', nullable: true })
  outcomeReason: string | null;

  @Column({ name: 'event_sequence', type: 'integer', default: 0 })
  eventSequence: number;

  @Column({ name: 'lease_token', type: 'bigint', default: 0 })
  leaseToken: number;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'last_activity_at', type: 'timestamptz' })
  lastActivityAt: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt: Date | null;

  @Column({ name: 'disbursed_at', type: 'timestamptz', nullable: true })
  disbursedAt: Date | null;
}
