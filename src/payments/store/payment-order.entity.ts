import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { PartnerColumn } from '../../auth/store/partner.entity.js';
import type { Paise } from '../../loans/index.js';
import {
  appNow,
  CountColumn,
  Leased,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
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
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  /** The application (`app_…`). */
  @TextColumn
  readonly subjectId: string;

  @PaiseColumn()
  readonly amount: Paise;

  /** `OrderDetails`; null once erased. */
  @NullableTextColumn
  readonly detailsSealed: string | null;

  @TimeColumn
  readonly expiresAt: Date;

  @Column('text', { default: 'NEW' })
  readonly status: PaymentStatus;

  @NowColumn
  readonly statusAt: Date;

  /** Never changes once set; null: no gateway was called. */
  @NullableTextColumn
  readonly gateway: GatewayKind | null;

  /** The lender that owns the account; null: the operator's. */
  @NullableTextColumn
  readonly account: string | null;

  @NullableTextColumn
  readonly gatewayOrderId: string | null;

  @NullableTextColumn
  readonly url: string | null;

  /** Why it closes: the owner cancelled it, or it expired. */
  @NullableTextColumn
  readonly closing: Closing | null;

  /** The order that replaced this one. */
  @NullableTextColumn
  @ForeignKey(() => PaymentOrder, { name: 'payment_orders_retry' })
  readonly retriedAs: string | null;

  /** Checks since the page was opened. */
  @CountColumn
  readonly asks: number;

  @CountColumn
  readonly failures: number;

  @NullableTextColumn
  readonly lastFailure: string | null;

  /** Null after a response. */
  @NullableTimeColumn
  readonly failingSince: Date | null;

  /** When the operator was notified; null after a response. */
  @NullableTimeColumn
  readonly silentAt: Date | null;

  @NullableTimeColumn
  readonly refusedAt: Date | null;

  @NullableTimeColumn
  readonly askedAt: Date | null;

  /** Null: nothing left to do. */
  @Column('timestamptz', { nullable: true, default: appNow })
  readonly nextAttemptAt: Date | null;

  @NowColumn
  readonly createdAt: Date;
}
