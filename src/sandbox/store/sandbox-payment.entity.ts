import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';

/** An order of the simulated gateway; empty in production. */
@Entity('sandbox_payments')
@Check('sandbox_payments_outcome', `outcome IN ('PAID', 'FAILED')`)
@Index('sandbox_payments_by_subject', ['subjectId'])
@Index('sandbox_payments_due', ['nextCallbackAt'], { where: '(next_callback_at IS NOT NULL)' })
export class SandboxPaymentRow {
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

  /** When the outcome takes effect, perhaps in the future. */
  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  readonly decidedAt: Date | null;

  @Column({ name: 'cancelled_at', type: 'timestamptz', nullable: true })
  readonly cancelledAt: Date | null;

  /** The merchant's; null: no refund requested. */
  @Column({ name: 'refund_reference', type: 'text', nullable: true })
  readonly refundReference: string | null;

  /** When the money is back, perhaps in the future. */
  @Column({ name: 'refunded_at', type: 'timestamptz', nullable: true })
  readonly refundedAt: Date | null;

  @Column({ name: 'callbacks_left', type: 'integer', default: 0 })
  readonly callbacksLeft: number;

  @Column({ name: 'callback_failures', type: 'integer', default: 0 })
  readonly callbackFailures: number;

  @Column({ name: 'next_callback_at', type: 'timestamptz', nullable: true })
  readonly nextCallbackAt: Date | null;

  @Column({ name: 'lease_token', type: 'bigint', default: 0 })
  readonly leaseToken: number;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  readonly leaseUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;
}
