import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RedirectStep } from '../../journey-steps/index.js';
import type { Paise } from '../../loans/index.js';
import {
  CountColumn,
  IntegerColumn,
  JsonColumn,
  type Language,
  Leased,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import type { SmsKind } from '../../settings/index.js';
import type { PageDecision } from '../reserved-pans.js';

/** One row; empty in production. */
@Entity('sandbox_clock')
@Check('sandbox_clock_one_check', 'one')
export class SandboxClock {
  @PrimaryColumn('boolean', { default: true })
  readonly one: boolean;

  @Column('bigint', { default: 0 })
  readonly offsetMs: number;
}

/** Empty in production. */
@Entity('sandbox_payments')
@Check('sandbox_payments_outcome', `outcome IN ('PAID', 'FAILED')`)
@Index('sandbox_payments_by_subject', ['subjectId'])
@Index('sandbox_payments_due', ['nextCallbackAt'], { where: '(next_callback_at IS NOT NULL)' })
export class SandboxPaymentRow extends Leased {
  @TextKeyColumn
  readonly orderId: string;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @PaiseColumn()
  readonly amount: Paise;

  /** Null once erased. */
  @NullableTextColumn
  readonly detailsSealed: string | null;

  @TimeColumn
  readonly expiresAt: Date;

  @NullableTextColumn
  readonly outcome: 'PAID' | 'FAILED' | null;

  @NullableTextColumn
  readonly method: 'upi' | 'card' | 'netbanking' | null;

  @NullableTextColumn
  readonly paymentId: string | null;

  /** When the outcome takes effect; may be in the future. */
  @NullableTimeColumn
  readonly decidedAt: Date | null;

  @NullableTimeColumn
  readonly cancelledAt: Date | null;

  /** The merchant's; null: no refund requested. */
  @NullableTextColumn
  readonly refundReference: string | null;

  /** When the money is back; may be in the future. */
  @NullableTimeColumn
  readonly refundedAt: Date | null;

  @CountColumn
  readonly callbacksLeft: number;

  @CountColumn
  readonly callbackFailures: number;

  @NullableTimeColumn
  readonly nextCallbackAt: Date | null;

  @TimeColumn
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
  @TextKeyColumn
  readonly reference: string;

  @TextColumn
  readonly step: RedirectStep;

  @TextColumn
  readonly lenderCode: string;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @IntegerColumn
  readonly attempt: number;

  @TextColumn
  readonly panSealed: string;

  @TextColumn
  readonly returnUrl: string;

  @NullableTextColumn
  readonly decision: Exclude<PageDecision, 'leave'> | null;

  @NullableTimeColumn
  readonly decidedAt: Date | null;

  @NowColumn
  readonly createdAt: Date;

  @JsonColumn
  readonly agreement: SimulatedAgreement;
}

/** Empty in production. */
@Entity('sandbox_sms')
@Index('sandbox_sms_newest', ['receivedAt', 'id'])
@Index('sandbox_sms_by_mobile', ['mobileHash', 'receivedAt', 'id'])
@Index('sandbox_sms_by_subject', ['subjectId'])
export class SandboxSms {
  /** The message's id, for deduplication. */
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly kind: SmsKind;

  @TextColumn
  readonly language: Language;

  @TextColumn
  readonly mobileHash: string;

  @TextColumn
  readonly contentSealed: string;

  @TimeColumn
  readonly receivedAt: Date;
}
