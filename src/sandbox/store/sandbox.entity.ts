import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RedirectStep } from '../../journey-steps/index.js';
import type { Paise } from '../../loans/index.js';
import {
  CountColumn,
  type Language,
  Leased,
  NowColumn,
  NullableColumn,
  PaiseColumn,
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
  @PrimaryColumn('text')
  readonly orderId: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly subjectId: string;

  @PaiseColumn()
  readonly amount: Paise;

  /** Null once erased. */
  @NullableColumn('text')
  readonly detailsSealed: string | null;

  @Column('timestamptz')
  readonly expiresAt: Date;

  @NullableColumn('text')
  readonly outcome: 'PAID' | 'FAILED' | null;

  @NullableColumn('text')
  readonly method: 'upi' | 'card' | 'netbanking' | null;

  @NullableColumn('text')
  readonly paymentId: string | null;

  /** When the outcome takes effect; may be in the future. */
  @NullableColumn('timestamptz')
  readonly decidedAt: Date | null;

  @NullableColumn('timestamptz')
  readonly cancelledAt: Date | null;

  /** The merchant's; null: no refund requested. */
  @NullableColumn('text')
  readonly refundReference: string | null;

  /** When the money is back; may be in the future. */
  @NullableColumn('timestamptz')
  readonly refundedAt: Date | null;

  @CountColumn
  readonly callbacksLeft: number;

  @CountColumn
  readonly callbackFailures: number;

  @NullableColumn('timestamptz')
  readonly nextCallbackAt: Date | null;

  @Column('timestamptz')
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
  @PrimaryColumn('text')
  readonly reference: string;

  @Column('text')
  readonly step: RedirectStep;

  @Column('text')
  readonly lenderCode: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly subjectId: string;

  @Column('integer')
  readonly attempt: number;

  @Column('text')
  readonly panSealed: string;

  @Column('text')
  readonly returnUrl: string;

  @NullableColumn('text')
  readonly decision: Exclude<PageDecision, 'leave'> | null;

  @NullableColumn('timestamptz')
  readonly decidedAt: Date | null;

  @NowColumn
  readonly createdAt: Date;

  @Column('jsonb')
  readonly agreement: SimulatedAgreement;
}

/** Empty in production. */
@Entity('sandbox_sms')
@Index('sandbox_sms_newest', ['receivedAt', 'id'])
@Index('sandbox_sms_by_mobile', ['mobileHash', 'receivedAt', 'id'])
@Index('sandbox_sms_by_subject', ['subjectId'])
export class SandboxSms {
  /** The message's id, for deduplication. */
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly subjectId: string;

  @Column('text')
  readonly kind: SmsKind;

  @Column('text')
  readonly language: Language;

  @Column('text')
  readonly mobileHash: string;

  @Column('text')
  readonly contentSealed: string;

  @Column('timestamptz')
  readonly receivedAt: Date;
}
