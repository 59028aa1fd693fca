import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { PaymentStatus, RefundStatus } from '../payment-status.js';

export type PaymentTrigger =
  | 'ORDERED'
  | 'OPENED'
  | 'CAPTURED'
  | 'CAPTURED_OTHER_AMOUNT'
  | 'TRY_FAILED'
  | 'CALLED_OFF'
  | 'TIME_RAN_OUT'
  | 'CLOSED'
  | 'REFUND_REQUESTED'
  | 'REFUND_PENDING'
  | 'REFUND_DONE'
  | 'REFUND_TRIED_AGAIN'
  | 'REFUND_FAILED'
  | 'REFUND_TAKEN_BACK'
  | 'REFUND_RETRIED';

@Entity('payment_audit')
@Index('payment_audit_by_order', ['orderId'])
export class PaymentAuditRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payment_audit_pkey',
  })
  readonly id: number;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  readonly orderId: string;

  @Column({ type: 'text' })
  readonly trigger: PaymentTrigger;

  @Column({ name: 'from_status', type: 'text', nullable: true })
  readonly fromStatus: PaymentStatus | RefundStatus | null;

  @Column({ name: 'to_status', type: 'text' })
  readonly toStatus: PaymentStatus | RefundStatus;

  @Column({ type: 'jsonb' })
  readonly detail: object;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
