import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';

export type PaymentNoticeKind = 'PAID' | 'FAILED' | 'EXPIRED' | 'CANCELLED';

@Entity('payment_inbox')
@Index('payment_inbox_once', ['noticeKey'], { unique: true })
@Index('payment_inbox_by_subject', ['subjectId'], { where: '(consumed_at IS NULL)' })
@Index('payment_inbox_waiting', ['nextAttemptAt', 'id'], { where: '(consumed_at IS NULL)' })
export class PaymentNotice {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payment_inbox_pkey',
  })
  readonly id: number;

  /** Deduplicates repeated reports. */
  @Column({ name: 'notice_key', type: 'text' })
  readonly noticeKey: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  readonly orderId: string;

  /**
   * `PAID`: the right amount, one per payment. `FAILED`: one per attempt. `EXPIRED`, `CANCELLED`: the page is
   * closed; real money may still follow as `PAID`.
   */
  @Column({ type: 'text' })
  readonly kind: PaymentNoticeKind;

  @Column({ name: 'gateway_payment_id', type: 'text', nullable: true })
  readonly gatewayPaymentId: string | null;

  @Column({ type: 'bigint', nullable: true, transformer: paise })
  readonly amount: Paise | null;

  /** In the gateway's time. */
  @Column({ type: 'timestamptz' })
  readonly at: Date;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;

  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly nextAttemptAt: Date;

  @Column({ name: 'consumed_at', type: 'timestamptz', nullable: true })
  readonly consumedAt: Date | null;
}
