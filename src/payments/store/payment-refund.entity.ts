import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Leased, paise } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';
import type { RefundReason, RefundStatus } from '../payment-status.js';
import { Payment } from './payment.entity.js';

/** A full refund, one per payment. */
@Entity('payment_refunds')
@Check('payment_refunds_amount', `amount > 0`)
@Check('payment_refunds_status', `status IN ('REQUESTED', 'PENDING', 'DONE', 'FAILED')`)
@Index('payment_refunds_once', ['paymentId'], { unique: true })
@Index('payment_refunds_by_subject', ['subjectId'])
@Index('payment_refunds_due', ['nextAttemptAt'], { where: '(next_attempt_at IS NOT NULL)' })
@Index('payment_refunds_untold', ['tellAt'], { where: '(tell_at IS NOT NULL)' })
export class PaymentRefund extends Leased {
  /** Part of the idempotency key, with `attempt`. */
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

  /** The lender that owns the account; null: the operator's. */
  @Column({ type: 'text', nullable: true })
  readonly account: string | null;

  @Column({ name: 'gateway_payment_id', type: 'text' })
  readonly gatewayPaymentId: string;

  /** In the currency's smallest unit. */
  @Column({ type: 'bigint', transformer: paise })
  readonly amount: number;

  /** ISO 4217. */
  @Column({ type: 'text' })
  readonly currency: string;

  @Column({ type: 'text' })
  readonly reason: RefundReason;

  @Column({ type: 'text', default: 'REQUESTED' })
  readonly status: RefundStatus;

  @Column({ name: 'status_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly statusAt: Date;

  /** From 1. */
  @Column({ type: 'integer', default: 1 })
  readonly attempt: number;

  /** Of this attempt. */
  @Column({ name: 'gateway_refund_id', type: 'text', nullable: true })
  readonly gatewayRefundId: string | null;

  @Column({ type: 'integer', default: 0 })
  readonly asks: number;

  @Column({ type: 'integer', default: 0 })
  readonly failures: number;

  @Column({ name: 'last_failure', type: 'text', nullable: true })
  readonly lastFailure: string | null;

  /** Null after a response. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  readonly failingSince: Date | null;

  /** Null after anything but a refusal. */
  @Column({ name: 'refused_since', type: 'timestamptz', nullable: true })
  readonly refusedSince: Date | null;

  /** Null: nothing left to do. */
  @Column({
    name: 'next_attempt_at',
    type: 'timestamptz',
    nullable: true,
    default: () => 'app_now()',
  })
  readonly nextAttemptAt: Date | null;

  /** When to notify the owner; null: not due, or done. */
  @Column({ name: 'tell_at', type: 'timestamptz', nullable: true })
  readonly tellAt: Date | null;

  @Column({ name: 'tell_attempts', type: 'integer', default: 0 })
  readonly tellAttempts: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
