import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../auth/partner.entity.js';
import { Application } from '../leads/application.entity.js';

@Entity('instant_loans')
@Check(
  'instant_loans_status',
  `status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED', 'PAYMENT_RECEIVED', 'SANCTIONED', 'REJECTED',
    'EXPIRED')`,
)
@Check(
  'instant_loans_paid',
  `(paid_at IS NOT NULL) = (status IN ('PAYMENT_RECEIVED', 'SANCTIONED', 'REJECTED'))`,
)
@Check(
  'instant_loans_applicant',
  `applicant_sealed IS NOT NULL OR status IN ('SANCTIONED', 'REJECTED', 'EXPIRED')`,
)
@Index('instant_loans_expiring', ['expiresAt'], {
  where: `status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED') AND called_off_at IS NULL`,
})
@Index('instant_loans_undecided', ['decisionDueAt'], { where: '(decision_due_at IS NOT NULL)' })
@Index('instant_loans_by_mobile', ['mobileHash'])
@Index('instant_loans_by_pan', ['panHash'])
export class InstantLoanRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'instant_loans_pkey' })
  @ForeignKey(() => Application, 'id', { name: 'instant_loans_application' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'instant_loans_partner' })
  partnerId: string;

  @Column({ name: 'key_id', type: 'text' })
  keyId: string;

  @Column({ type: 'text' })
  status: string;

  /** Paise. */
  @Column({ name: 'loan_amount', type: 'bigint' })
  loanAmount: number;

  /** Paise. */
  @Column({ type: 'bigint' })
  fee: number;

  @Column({ name: 'lender_code', type: 'text' })
  lenderCode: string;

  @Column({ type: 'jsonb' })
  comparison: object;

  @Column({ name: 'key_facts_sealed', type: 'text' })
  keyFactsSealed: string;

  @Column({ name: 'key_facts_hash', type: 'text' })
  keyFactsHash: string;

  @Column({ name: 'agreed_at', type: 'timestamptz', nullable: true })
  agreedAt: Date | null;

  @Column({ name: 'applicant_sealed', type: 'text', nullable: true })
  applicantSealed: string | null;

  @Column({ name: 'mobile_hash', type: 'text', nullable: true })
  mobileHash: string | null;

  @Column({ name: 'pan_hash', type: 'text', nullable: true })
  panHash: string | null;

  @Column({ name: 'payment_order_id', type: 'text' })
  paymentOrderId: string;

  @Column({ name: 'is_retrying', type: 'boolean', default: false })
  isRetrying: boolean;

  @Column({ name: 'sms_id', type: 'text' })
  smsId: string;

  @Column({ name: 'is_sms_sent', type: 'boolean', nullable: true })
  isSmsSent: boolean | null;

  @Column({ name: 'gateway_payment_id', type: 'text', nullable: true })
  gatewayPaymentId: string | null;

  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true })
  paidAt: Date | null;

  @Column({ name: 'sanction_reference', type: 'text', nullable: true })
  sanctionReference: string | null;

  @Column({ name: 'decline_reason', type: 'text', nullable: true })
  declineReason: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'called_off_at', type: 'timestamptz', nullable: true })
  calledOffAt: Date | null;

  @Column({ name: 'decision_due_at', type: 'timestamptz', nullable: true })
  decisionDueAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt: Date | null;
}
