import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import { Application } from '../../leads/store/application.entity.js';
import type { Paise } from '../../loans/index.js';
import { type Language, paise } from '../../platform/index.js';
import type { FeeOnDecline } from '../../settings/index.js';
import type { LenderChoice } from '../domain/chosen-loan.js';
import type { LenderComparison } from '../domain/instant-loan.js';
import type { InstantLoanStatus } from '../domain/instant-loan-status.js';

@Entity('instant_loans')
@Check(
  'instant_loans_status',
  `status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED', 'PAYMENT_RECEIVED', 'SANCTIONED', 'REJECTED',
    'EXPIRED')`,
)
@Check(
  'instant_loans_paid',
  `(paid_at IS NOT NULL) = (status IN ('PAYMENT_RECEIVED', 'SANCTIONED')
    OR status = 'REJECTED' AND lender_code IS NOT NULL)`,
)
@Check(
  'instant_loans_chosen',
  `num_nonnulls(offer_id, fee, fee_on_decline, lender_code, comparison, key_facts_sealed, key_facts_hash)
      = CASE WHEN lender_code IS NULL THEN 0 ELSE 7 END
    AND (lender_code IS NOT NULL OR payment_order_id IS NULL)`,
)
@Check(
  'instant_loans_applicant',
  `applicant_sealed IS NOT NULL OR status IN ('SANCTIONED', 'REJECTED', 'EXPIRED')`,
)
@Index('instant_loans_expiring', ['expiresAt'], {
  where: `status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED') AND called_off_at IS NULL`,
})
@Index('instant_loans_undecided', ['decisionDueAt'], { where: '(decision_due_at IS NOT NULL)' })
@Index('instant_loans_awaiting_offers', ['offersDueAt'], {
  where: '(offers_due_at IS NOT NULL)',
})
@Index('instant_loans_by_mobile', ['mobileHash'])
@Index('instant_loans_by_pan', ['panHash'])
export class InstantLoan {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'instant_loans_pkey' })
  @ForeignKey(() => Application, 'id', { name: 'instant_loans_application' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'instant_loans_partner' })
  readonly partnerId: string;

  @Column({ name: 'key_id', type: 'text' })
  readonly keyId: string;

  @Column({ type: 'text', default: 'PAYMENT_PENDING' })
  readonly status: InstantLoanStatus;

  @Column({ name: 'loan_amount', type: 'bigint', transformer: paise })
  readonly loanAmount: Paise;

  /**
   * The next evaluation: the lenders' deadline, then the long one; null once no lender is asked.
   * The applicant may compare before that.
   */
  @Column({ name: 'offers_due_at', type: 'timestamptz', nullable: true })
  readonly offersDueAt: Date | null;

  /** Rejected then without an offer. */
  @Column({ name: 'offers_given_up_at', type: 'timestamptz' })
  readonly offersGivenUpAt: Date;

  /** The leading offer: the best until the applicant chooses. */
  @Column({ name: 'offer_id', type: 'text', nullable: true })
  readonly offerId: string | null;

  /**
   * The offer chosen by the applicant. Differs from `offerId` while that offer's payment page is
   * closed.
   */
  @Column({ name: 'wanted_offer_id', type: 'text', nullable: true })
  readonly wantedOfferId: string | null;

  /** All one-time charges of the lender, paid up front. */
  @Column({ type: 'bigint', transformer: paise, nullable: true })
  readonly fee: Paise | null;

  /** As the page said before the payment. */
  @Column({ name: 'fee_on_decline', type: 'text', nullable: true })
  readonly feeOnDecline: FeeOnDecline | null;

  @Column({ name: 'lender_code', type: 'text', nullable: true })
  readonly lenderCode: string | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly comparison: LenderComparison | null;

  @Column({ name: 'key_facts_sealed', type: 'text', nullable: true })
  readonly keyFactsSealed: string | null;

  @Column({ name: 'key_facts_hash', type: 'text', nullable: true })
  readonly keyFactsHash: string | null;

  /** When the applicant acknowledged the statement. */
  @Column({ name: 'agreed_at', type: 'timestamptz', nullable: true })
  readonly agreedAt: Date | null;

  /** Null once erased. */
  @Column({ name: 'applicant_sealed', type: 'text', nullable: true })
  readonly applicantSealed: string | null;

  @Column({ name: 'mobile_hash', type: 'text', nullable: true })
  readonly mobileHash: string | null;

  @Column({ name: 'pan_hash', type: 'text', nullable: true })
  readonly panHash: string | null;

  /** The current order; earlier failed ones may exist. */
  @Column({ name: 'payment_order_id', type: 'text', nullable: true })
  readonly paymentOrderId: string | null;

  /** Whether the applicant went to the gateway again after a failed try. */
  @Column({ name: 'is_retrying', type: 'boolean', default: false })
  readonly isRetrying: boolean;

  @Column({ name: 'sms_language', type: 'text' })
  readonly smsLanguage: Language;

  @Column({ name: 'sms_id', type: 'text' })
  readonly smsId: string;

  /** The call's `smsSent`; null until decided. */
  @Column({ name: 'is_sms_sent', type: 'boolean', nullable: true })
  readonly isSmsSent: boolean | null;

  /** The payment that counted. */
  @Column({ name: 'gateway_payment_id', type: 'text', nullable: true })
  readonly gatewayPaymentId: string | null;

  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true })
  readonly paidAt: Date | null;

  @Column({ name: 'sanction_reference', type: 'text', nullable: true })
  readonly sanctionReference: string | null;

  /** In the lender's words; internal. */
  @Column({ name: 'decline_reason', type: 'text', nullable: true })
  readonly declineReason: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  /** When we had the order closed because its time was over. */
  @Column({ name: 'called_off_at', type: 'timestamptz', nullable: true })
  readonly calledOffAt: Date | null;

  /** When a missing decision is flagged; null before and after. */
  @Column({ name: 'decision_due_at', type: 'timestamptz', nullable: true })
  readonly decisionDueAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly updatedAt: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  readonly finishedAt: Date | null;
}

export type ChosenInstantLoan = InstantLoan & LenderChoice;
