import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { GatewayKind } from '../payment-gateway.js';

/** Every event of a gateway about an order of ours, once; what it said stands in the other tables. */
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

  /** The same on every delivery of one event. */
  @Column({ name: 'event_id', type: 'text' })
  readonly eventId: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  readonly orderId: string;

  /** The gateway's name for the event. */
  @Column({ type: 'text' })
  readonly name: string;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;
}
