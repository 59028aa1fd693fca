import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('payment_inbox')
@Index('payment_inbox_once', ['noticeKey'], { unique: true })
@Index('payment_inbox_by_subject', ['subjectId'], { where: '(consumed_at IS NULL)' })
@Index('payment_inbox_waiting', ['nextAttemptAt', 'id'], { where: '(consumed_at IS NULL)' })
export class PaymentInboxRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payment_inbox_pkey',
  })
  id: number;

  @Column({ name: 'notice_key', type: 'text' })
  noticeKey: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  orderId: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ name: 'gateway_payment_id', type: 'text', nullable: true })
  gatewayPaymentId: string | null;

  @Column({ type: 'bigint', nullable: true })
  amount: number | null;

  @Column({ type: 'timestamptz' })
  at: Date;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;

  @Column({ name: 'consumed_at', type: 'timestamptz', nullable: true })
  consumedAt: Date | null;
}
