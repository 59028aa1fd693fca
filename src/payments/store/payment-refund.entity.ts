import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  appNow,
  CountColumn,
  Leased,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
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
  @TextKeyColumn
  readonly id: string;

  @Column('bigint')
  @ForeignKey(() => Payment)
  readonly paymentId: number;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly orderId: string;

  @TextColumn
  readonly gateway: GatewayKind;

  /** The lender that owns the account; null: the operator's. */
  @NullableTextColumn
  readonly account: string | null;

  @TextColumn
  readonly gatewayPaymentId: string;

  /** In the currency's smallest unit. */
  @PaiseColumn()
  readonly amount: number;

  /** ISO 4217. */
  @TextColumn
  readonly currency: string;

  @TextColumn
  readonly reason: RefundReason;

  @Column('text', { default: 'REQUESTED' })
  readonly status: RefundStatus;

  @NowColumn
  readonly statusAt: Date;

  /** From 1. */
  @Column('integer', { default: 1 })
  readonly attempt: number;

  /** Of this attempt. */
  @NullableTextColumn
  readonly gatewayRefundId: string | null;

  @CountColumn
  readonly asks: number;

  @CountColumn
  readonly failures: number;

  @NullableTextColumn
  readonly lastFailure: string | null;

  /** Null after a response. */
  @NullableTimeColumn
  readonly failingSince: Date | null;

  /** Null after anything but a refusal. */
  @NullableTimeColumn
  readonly refusedSince: Date | null;

  /** Null: nothing left to do. */
  @Column('timestamptz', { nullable: true, default: appNow })
  readonly nextAttemptAt: Date | null;

  /** When to notify the owner; null: not due, or done. */
  @NullableTimeColumn
  readonly tellAt: Date | null;

  @CountColumn
  readonly tellAttempts: number;

  @NowColumn
  readonly createdAt: Date;
}
