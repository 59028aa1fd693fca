import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RedirectStep } from '../../journey-steps/index.js';
import type { Paise } from '../../loans/index.js';
import { Leased, type Language, paise } from '../../platform/index.js';
import type { SmsKind } from '../../settings/index.js';
import type { PageDecision } from '../reserved-pans.js';

/** One row; empty in production. */
@Entity('sandbox_clock')
@Check('sandbox_clock_one_check', 'one')
export class SandboxClock {
  @PrimaryColumn({
    type: 'boolean',
    default: true,
    primaryKeyConstraintName: 'sandbox_clock_pkey',
  })
  readonly one: boolean;

  @Column({ name: 'offset_ms', type: 'bigint', default: 0 })
  readonly offsetMs: number;
}

/** Empty in production. */
@Entity('sandbox_payments')
@Check('sandbox_payments_outcome', `outcome IN ('PAID', 'FAILED')`)
@Index('sandbox_payments_by_subject', ['subjectId'])
@Index('sandbox_payments_due', ['nextCallbackAt'], { where: '(next_callback_at IS NOT NULL)' })
export class SandboxPaymentRow extends Leased {
  @PrimaryColumn({
    name: 'order_id',
    type: 'text',
    primaryKeyConstraintName: 'sandbox_payments_pkey',
  })
  readonly orderId: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'bigint', transformer: paise })
  readonly amount: Paise;

  /** Null once erased. */
  @Column({ name: 'details_sealed', type: 'text', nullable: true })
  readonly detailsSealed: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  @Column({ type: 'text', nullable: true })
  readonly outcome: 'PAID' | 'FAILED' | null;

  @Column({ type: 'text', nullable: true })
  readonly method: 'upi' | 'card' | 'netbanking' | null;

  @Column({ name: 'payment_id', type: 'text', nullable: true })
  readonly paymentId: string | null;

  /** When the outcome takes effect; may be in the future. */
  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  readonly decidedAt: Date | null;

  @Column({ name: 'cancelled_at', type: 'timestamptz', nullable: true })
  readonly cancelledAt: Date | null;

  /** The merchant's; null: no refund requested. */
  @Column({ name: 'refund_reference', type: 'text', nullable: true })
  readonly refundReference: string | null;

  /** When the money is back; may be in the future. */
  @Column({ name: 'refunded_at', type: 'timestamptz', nullable: true })
  readonly refundedAt: Date | null;

  @Column({ name: 'callbacks_left', type: 'integer', default: 0 })
  readonly callbacksLeft: number;

  @Column({ name: 'callback_failures', type: 'integer', default: 0 })
  readonly callbackFailures: number;

  @Column({ name: 'next_callback_at', type: 'timestamptz', nullable: true })
  readonly nextCallbackAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;
}

/** As far as the lender knows it; shown at the signature. */
export interface SimulatedAgreement {
  readonly lender: string;
  /** All in paise. */
  readonly loanAmount: number;
  readonly totalPayable: number | null;
  readonly netDisbursed: number | null;
  /** SHA-256 of the agreed Key Facts Statement. */
  readonly keyFactsHash: string | null;
}

/** Empty in production. */
@Entity('sandbox_sessions')
export class SandboxSessionRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sandbox_sessions_pkey' })
  readonly reference: string;

  @Column({ type: 'text' })
  readonly step: RedirectStep;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'integer' })
  readonly attempt: number;

  @Column({ name: 'pan_sealed', type: 'text' })
  readonly panSealed: string;

  @Column({ name: 'return_url', type: 'text' })
  readonly returnUrl: string;

  @Column({ type: 'text', nullable: true })
  readonly decision: Exclude<PageDecision, 'leave'> | null;

  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  readonly decidedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;

  @Column({ type: 'jsonb' })
  readonly agreement: SimulatedAgreement;
}

/** Empty in production. */
@Entity('sandbox_sms')
@Index('sandbox_sms_newest', ['receivedAt', 'id'])
@Index('sandbox_sms_by_mobile', ['mobileHash', 'receivedAt', 'id'])
@Index('sandbox_sms_by_subject', ['subjectId'])
export class SandboxSms {
  /** The message's id, for deduplication. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sandbox_sms_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'text' })
  readonly kind: SmsKind;

  @Column({ type: 'text' })
  readonly language: Language;

  @Column({ name: 'mobile_hash', type: 'text' })
  readonly mobileHash: string;

  @Column({ name: 'content_sealed', type: 'text' })
  readonly contentSealed: string;

  @Column({ name: 'received_at', type: 'timestamptz' })
  readonly receivedAt: Date;
}
