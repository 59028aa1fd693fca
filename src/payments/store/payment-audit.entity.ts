import { Entity, Index } from 'typeorm';
import {
  IdentityColumn,
  JsonColumn,
  NowColumn,
  NullableTextColumn,
  TextColumn,
} from '../../platform/index.js';
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

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly orderId: string;

  @TextColumn
  readonly trigger: PaymentTrigger;

  @NullableTextColumn
  readonly fromStatus: PaymentStatus | RefundStatus | null;

  @TextColumn
  readonly toStatus: PaymentStatus | RefundStatus;

  @JsonColumn
  readonly detail: object;

  @NowColumn
  readonly createdAt: Date;
}
