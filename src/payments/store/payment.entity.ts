import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { paise } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';
import { PaymentOrder } from './payment-order.entity.js';

/** Reported by the gateway, or in answer to a call. */
export type NoticeSource = 'CALLBACK' | 'ASKED';

/** A captured payment, recorded once. */
@Entity('payments')
@Index('payments_once', ['gateway', 'gatewayPaymentId'], { unique: true })
@Index('payments_by_order', ['orderId'])
@Index('payments_by_subject', ['subjectId'])
@Index('payments_unsettled', ['unsettledAt'], { where: '(unsettled_at IS NOT NULL)' })
export class Payment {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payments_pkey',
  })
  readonly id: number;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  @ForeignKey(() => PaymentOrder, 'id', { name: 'payments_order' })
  readonly orderId: string;

  @Column({ type: 'text' })
  readonly gateway: GatewayKind;

  @Column({ name: 'gateway_payment_id', type: 'text' })
  readonly gatewayPaymentId: string;

  /** In the currency's smallest unit. */
  @Column({ type: 'bigint', transformer: paise })
  readonly amount: number;

  /** ISO 4217. */
  @Column({ type: 'text' })
  readonly currency: string;

  /** In the gateway's words: `upi`, `card`, `netbanking`… */
  @Column({ type: 'text', nullable: true })
  readonly method: string | null;

  /** Whether amount and currency are the order's. */
  @Column({ name: 'is_counted', type: 'boolean' })
  readonly isCounted: boolean;

  @Column({ type: 'text' })
  readonly source: NoticeSource;

  @Column({ name: 'paid_at', type: 'timestamptz' })
  readonly paidAt: Date;

  @Column({ name: 'recorded_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly recordedAt: Date;

  /** The last check while it is neither kept nor refunded; null: settled. */
  @Column({
    name: 'unsettled_at',
    type: 'timestamptz',
    nullable: true,
    default: () => 'app_now()',
  })
  readonly unsettledAt: Date | null;
}
