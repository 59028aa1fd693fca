import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import {
  appNow,
  CountColumn,
  IdentityColumn,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  PaiseColumn,
  TextColumn,
  TimeColumn,
} from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';
import { PaymentOrder } from './payment-order.entity.js';

/** `CALLBACK`: the gateway reported it; `ASKED`: it answered a call. */
export type NoticeSource = 'CALLBACK' | 'ASKED';

/** A captured payment, recorded once. */
@Entity('payments')
@Index('payments_once', ['gateway', 'gatewayPaymentId'], { unique: true })
@Index('payments_by_order', ['orderId'])
@Index('payments_by_subject', ['subjectId'])
@Index('payments_unsettled', ['unsettledAt'], { where: '(unsettled_at IS NOT NULL)' })
export class Payment {
  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  @ForeignKey(() => PaymentOrder)
  readonly orderId: string;

  @TextColumn
  readonly gateway: GatewayKind;

  @TextColumn
  readonly gatewayPaymentId: string;

  /** In the currency's smallest unit. */
  @PaiseColumn()
  readonly amount: number;

  /** ISO 4217. */
  @TextColumn
  readonly currency: string;

  /** As the gateway names it: `upi`, `card`, `netbanking`… */
  @NullableTextColumn
  readonly method: string | null;

  /** Whether amount and currency are the order's. */
  @Column('boolean')
  readonly isCounted: boolean;

  @TextColumn
  readonly source: NoticeSource;

  @TimeColumn
  readonly paidAt: Date;

  @NowColumn
  readonly recordedAt: Date;

  /** When it was last checked while neither kept nor refunded; null: settled. */
  @Column('timestamptz', { nullable: true, default: appNow })
  readonly unsettledAt: Date | null;
}

/** Each event about an order, once. */
@Entity('payment_callbacks')
@Index('payment_callbacks_once', ['gateway', 'eventId'], { unique: true })
@Index('payment_callbacks_by_order', ['orderId'])
export class PaymentCallback {
  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly gateway: GatewayKind;

  /** The same on every delivery of the event. */
  @TextColumn
  readonly eventId: string;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly orderId: string;

  @TextColumn
  readonly name: string;

  @NowColumn
  readonly receivedAt: Date;
}

export type PaymentNoticeKind = 'PAID' | 'FAILED' | 'EXPIRED' | 'CANCELLED';

@Entity('payment_inbox')
@Index('payment_inbox_once', ['noticeKey'], { unique: true })
@Index('payment_inbox_by_subject', ['subjectId'], { where: '(consumed_at IS NULL)' })
@Index('payment_inbox_waiting', ['nextAttemptAt', 'id'], { where: '(consumed_at IS NULL)' })
export class PaymentNotice {
  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly noticeKey: string;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly orderId: string;

  /**
   * `PAID`: the right amount, one per payment. `FAILED`: one per attempt. `EXPIRED`, `CANCELLED`: the page is closed;
   * a `PAID` may still follow.
   */
  @TextColumn
  readonly kind: PaymentNoticeKind;

  @NullableTextColumn
  readonly gatewayPaymentId: string | null;

  @PaiseColumn({ nullable: true })
  readonly amount: Paise | null;

  /** By the gateway's clock. */
  @TimeColumn
  readonly at: Date;

  @NowColumn
  readonly receivedAt: Date;

  @CountColumn
  readonly attempts: number;

  @NowColumn
  readonly nextAttemptAt: Date;

  @NullableTimeColumn
  readonly consumedAt: Date | null;
}
