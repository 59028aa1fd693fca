import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { paise } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';
import { PaymentOrder } from './payment-order.entity.js';

/** Who told: the gateway by itself, or when it was asked. */
export type NoticeSource = 'CALLBACK' | 'ASKED';

/** A payment that a gateway has captured, recorded once. */
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

  /** In the smallest unit of the currency. */
  @Column({ type: 'bigint', transformer: paise })
  readonly amount: number;

  /** ISO 4217. */
  @Column({ type: 'text' })
  readonly currency: string;

  /** As the gateway calls it: `upi`, `card`, `netbanking`… */
  @Column({ type: 'text', nullable: true })
  readonly method: string | null;

  /** Whether it is of the order's amount and currency. */
  @Column({ name: 'is_counted', type: 'boolean' })
  readonly isCounted: boolean;

  @Column({ type: 'text' })
  readonly source: NoticeSource;

  @Column({ name: 'paid_at', type: 'timestamptz' })
  readonly paidAt: Date;

  @Column({ name: 'recorded_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly recordedAt: Date;

  /** When it was last looked at, as long as it is neither kept nor goes back; null: it is settled. */
  @Column({
    name: 'unsettled_at',
    type: 'timestamptz',
    nullable: true,
    default: () => 'app_now()',
  })
  readonly unsettledAt: Date | null;
}
