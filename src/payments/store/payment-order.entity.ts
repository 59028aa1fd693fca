import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';

@Entity('payment_orders')
@Check('payment_orders_amount', `amount > 0`)
@Check('payment_orders_closing', `closing IN ('EXPIRED', 'CANCELLED')`)
@Check(
  'payment_orders_details',
  `details_sealed IS NOT NULL OR status <> 'NEW' OR closing IS NOT NULL`,
)
@Check(
  'payment_orders_status',
  `status IN ('NEW', 'OPEN', 'FAILED', 'EXPIRED', 'CANCELLED', 'PAID')`,
)
@Index('payment_orders_by_subject', ['subjectId'])
@Index('payment_orders_by_gateway_id', ['gateway', 'gatewayOrderId'], {
  unique: true,
  where: '(gateway_order_id IS NOT NULL)',
})
@Index('payment_orders_due', ['nextAttemptAt'], { where: '(next_attempt_at IS NOT NULL)' })
export class PaymentOrderRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payment_orders_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'payment_orders_partner' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ type: 'bigint' })
  amount: number;

  /** Null once it is erased. */
  @Column({ name: 'details_sealed', type: 'text', nullable: true })
  detailsSealed: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ type: 'text', default: 'NEW' })
  status: string;

  @Column({ name: 'status_at', type: 'timestamptz' })
  statusAt: Date;

  @Column({ type: 'text', nullable: true })
  gateway: string | null;

  @Column({ name: 'gateway_order_id', type: 'text', nullable: true })
  gatewayOrderId: string | null;

  @Column({ type: 'text', nullable: true })
  url: string | null;

  @Column({ type: 'text', nullable: true })
  closing: string | null;

  @Column({ name: 'retried_as', type: 'text', nullable: true })
  @ForeignKey(() => PaymentOrderRow, 'id', { name: 'payment_orders_retry' })
  retriedAs: string | null;

  @Column({ type: 'integer', default: 0 })
  asks: number;

  @Column({ type: 'integer', default: 0 })
  failures: number;

  @Column({ name: 'last_failure', type: 'text', nullable: true })
  lastFailure: string | null;

  /** The first of the calls that failed in a row; null after an answer. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince: Date | null;

  /** When the operator was told that the gateway is silent; null after an answer. */
  @Column({ name: 'silent_at', type: 'timestamptz', nullable: true })
  silentAt: Date | null;

  @Column({ name: 'refused_at', type: 'timestamptz', nullable: true })
  refusedAt: Date | null;

  @Column({ name: 'asked_at', type: 'timestamptz', nullable: true })
  askedAt: Date | null;

  /** Null when nothing is left to do. */
  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  nextAttemptAt: Date | null;

  @Column({ name: 'lease_token', type: 'bigint', default: 0 })
  leaseToken: number;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
