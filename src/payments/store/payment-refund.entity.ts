import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { paise } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';
import type { RefundReason, RefundStatus } from '../refunds/refund-status.js';
import { Payment } from './payment.entity.js';

/** A payment that goes back, all of it. Of one payment there is one refund, whoever asks for it. */
@Entity('payment_refunds')
@Check('payment_refunds_amount', `amount > 0`)
@Check('payment_refunds_status', `status IN ('REQUESTED', 'PENDING', 'DONE', 'FAILED')`)
@Index('payment_refunds_once', ['paymentId'], { unique: true })
@Index('payment_refunds_by_subject', ['subjectId'])
@Index('payment_refunds_due', ['nextAttemptAt'], { where: '(next_attempt_at IS NOT NULL)' })
@Index('payment_refunds_untold', ['tellAt'], { where: '(tell_at IS NOT NULL)' })
export class PaymentRefund {
  /** Names it to the gateway, together with `attempt`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payment_refunds_pkey' })
  readonly id: string;

  @Column({ name: 'payment_id', type: 'bigint' })
  @ForeignKey(() => Payment, 'id', { name: 'payment_refunds_payment' })
  readonly paymentId: number;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  readonly orderId: string;

  @Column({ type: 'text' })
  readonly gateway: GatewayKind;

  /** The lender from whose own account it goes back; null: the operator's. */
  @Column({ type: 'text', nullable: true })
  readonly account: string | null;

  @Column({ name: 'gateway_payment_id', type: 'text' })
  readonly gatewayPaymentId: string;

  /** In the smallest unit of the currency. */
  @Column({ type: 'bigint', transformer: paise })
  readonly amount: number;

  /** ISO 4217. */
  @Column({ type: 'text' })
  readonly currency: string;

  @Column({ type: 'text' })
  readonly reason: RefundReason;

  @Column({ type: 'text', default: 'REQUESTED' })
  readonly status: RefundStatus;

  /** When it came to this status. */
  @Column({ name: 'status_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly statusAt: Date;

  /** The one that is under way, from 1: what the gateway gave up is asked for anew. */
  @Column({ type: 'integer', default: 1 })
  readonly attempt: number;

  /** The gateway's id of this attempt; null as long as no answer has told it. */
  @Column({ name: 'gateway_refund_id', type: 'text', nullable: true })
  readonly gatewayRefundId: string | null;

  /** How often the gateway was asked how it stands. */
  @Column({ type: 'integer', default: 0 })
  readonly asks: number;

  /** Calls that failed in a row. */
  @Column({ type: 'integer', default: 0 })
  readonly failures: number;

  @Column({ name: 'last_failure', type: 'text', nullable: true })
  readonly lastFailure: string | null;

  /** The first of the calls that failed in a row; null after an answer. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  readonly failingSince: Date | null;

  /** The first of the refusals in a row; null after anything else. */
  @Column({ name: 'refused_since', type: 'timestamptz', nullable: true })
  readonly refusedSince: Date | null;

  /** Null when nothing is left to do. */
  @Column({
    name: 'next_attempt_at',
    type: 'timestamptz',
    nullable: true,
    default: () => 'app_now()',
  })
  readonly nextAttemptAt: Date | null;

  /** Raised by every claim; the schedule is its holder's alone. */
  @Column({ name: 'lease_token', type: 'bigint', default: 0 })
  readonly leaseToken: number;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  readonly leaseUntil: Date | null;

  /** From when on the subject's owner is told that it is done; null: not yet, or told. */
  @Column({ name: 'tell_at', type: 'timestamptz', nullable: true })
  readonly tellAt: Date | null;

  /** How often that could not be processed. */
  @Column({ name: 'tell_attempts', type: 'integer', default: 0 })
  readonly tellAttempts: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
