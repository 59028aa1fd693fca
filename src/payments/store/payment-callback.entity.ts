import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { GatewayKind } from '../payment-gateway.js';

/** Each event about an order, once; its content is in other tables. */
@Entity('payment_callbacks')
@Index('payment_callbacks_once', ['gateway', 'eventId'], { unique: true })
@Index('payment_callbacks_by_order', ['orderId'])
export class PaymentCallback {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payment_callbacks_pkey',
  })
  readonly id: number;

  @Column({ type: 'text' })
  readonly gateway: GatewayKind;

  /** The same on every delivery of the event. */
  @Column({ name: 'event_id', type: 'text' })
  readonly eventId: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  readonly orderId: string;

  @Column({ type: 'text' })
  readonly name: string;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;
}
