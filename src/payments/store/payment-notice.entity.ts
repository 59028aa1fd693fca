import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';

export type PaymentNoticeKind = 'PAID' | 'FAILED' | 'EXPIRED' | 'CANCELLED';

/** What became of an order, for the module that owns its subject. */
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

  /** Says what the notice says: the same thing told twice is one row. */
  @Column({ name: 'notice_key', type: 'text' })
  readonly noticeKey: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  readonly orderId: string;

  /**
   * `PAID`: money of the right amount; one notice for each payment, so a second one on the same
   * subject is a payment too many. `FAILED`: one for each try that failed. `EXPIRED`, `CANCELLED`:
   * the page is closed; a `PAID` may follow all the same, and is money that was really taken.
   */
  @Column({ type: 'text' })
  readonly kind: PaymentNoticeKind;

  @Column({ name: 'gateway_payment_id', type: 'text', nullable: true })
  readonly gatewayPaymentId: string | null;

  @Column({ type: 'bigint', nullable: true, transformer: paise })
  readonly amount: Paise | null;

  /** When it happened, as the gateway says it. */
  @Column({ type: 'timestamptz' })
  readonly at: Date;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;

  /** How often it could not be processed. */
  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly nextAttemptAt: Date;

  @Column({ name: 'consumed_at', type: 'timestamptz', nullable: true })
  readonly consumedAt: Date | null;
}
