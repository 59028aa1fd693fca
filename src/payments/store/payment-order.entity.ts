import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { Paise } from '../../loans/index.js';
import { Leased, paise } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';
import type { Closing, PaymentStatus } from '../payment-status.js';

/** The id is secret to the owner; it is also the gateway's reference. */
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
export class PaymentOrder extends Leased {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payment_orders_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'payment_orders_partner' })
  readonly partnerId: string;

  /** The application (`app_…`). */
  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'bigint', transformer: paise })
  readonly amount: Paise;

  /** `OrderDetails`; null once erased. */
  @Column({ name: 'details_sealed', type: 'text', nullable: true })
  readonly detailsSealed: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  @Column({ type: 'text', default: 'NEW' })
  readonly status: PaymentStatus;

  @Column({ name: 'status_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly statusAt: Date;

  /** Never changes once set; null: no gateway was called. */
  @Column({ type: 'text', nullable: true })
  readonly gateway: GatewayKind | null;

  /** The lender that owns the account; null: the operator's. */
  @Column({ type: 'text', nullable: true })
  readonly account: string | null;

  @Column({ name: 'gateway_order_id', type: 'text', nullable: true })
  readonly gatewayOrderId: string | null;

  @Column({ type: 'text', nullable: true })
  readonly url: string | null;

  /** Why it closes: the owner cancelled it, or it expired. */
  @Column({ type: 'text', nullable: true })
  readonly closing: Closing | null;

  /** The order that replaced this one. */
  @Column({ name: 'retried_as', type: 'text', nullable: true })
  @ForeignKey(() => PaymentOrder, 'id', { name: 'payment_orders_retry' })
  readonly retriedAs: string | null;

  /** Checks since the page was opened. */
  @Column({ type: 'integer', default: 0 })
  readonly asks: number;

  @Column({ type: 'integer', default: 0 })
  readonly failures: number;

  @Column({ name: 'last_failure', type: 'text', nullable: true })
  readonly lastFailure: string | null;

  /** Null after a response. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  readonly failingSince: Date | null;

  /** When the operator was notified; null after a response. */
  @Column({ name: 'silent_at', type: 'timestamptz', nullable: true })
  readonly silentAt: Date | null;

  @Column({ name: 'refused_at', type: 'timestamptz', nullable: true })
  readonly refusedAt: Date | null;

  @Column({ name: 'asked_at', type: 'timestamptz', nullable: true })
  readonly askedAt: Date | null;

  /** Null: nothing left to do. */
  @Column({
    name: 'next_attempt_at',
    type: 'timestamptz',
    nullable: true,
    default: () => 'app_now()',
  })
  readonly nextAttemptAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
