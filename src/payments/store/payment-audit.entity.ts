import { Column, Entity, Index } from 'typeorm';
import { IdentityColumn, NowColumn, NullableColumn } from '../../platform/index.js';
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
  @IdentityColumn
  readonly id: number;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly subjectId: string;

  @Column('text')
  readonly orderId: string;

  @Column('text')
  readonly trigger: PaymentTrigger;

  @NullableColumn('text')
  readonly fromStatus: PaymentStatus | RefundStatus | null;

  @Column('text')
  readonly toStatus: PaymentStatus | RefundStatus;

  @Column('jsonb')
  readonly detail: object;

  @NowColumn
  readonly createdAt: Date;
}
