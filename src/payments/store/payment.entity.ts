import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { PaymentOrderRow } from './payment-order.entity.js';

/** Every payment that a gateway has captured, once. */
@Entity('payments')
@Index('payments_once', ['gateway', 'gatewayPaymentId'], { unique: true })
@Index('payments_by_order', ['orderId'])
@Index('payments_by_subject', ['subjectId'])
export class PaymentRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payments_pkey',
  })
  id: number;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  @ForeignKey(() => PaymentOrderRow, 'id', { name: 'payments_order' })
  orderId: string;

  @Column({ type: 'text' })
  gateway: string;

  @Column({ name: 'gateway_payment_id', type: 'text' })
  gatewayPaymentId: string;

  @Column({ type: 'bigint' })
  amount: number;

  @Column({ type: 'text' })
  currency: string;

  @Column({ type: 'text', nullable: true })
  method: string | null;

  /** Whether it is of the order's amount and currency. */
  @Column({ name: 'is_counted', type: 'boolean' })
  isCounted: boolean;

  @Column({ type: 'text' })
  source: string;

  @Column({ name: 'paid_at', type: 'timestamptz' })
  paidAt: Date;

  @Column({ name: 'recorded_at', type: 'timestamptz' })
  recordedAt: Date;
}
