import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Every event of a gateway about an order of ours, once; what it said stands in the other tables. */
@Entity('payment_callbacks')
@Index('payment_callbacks_once', ['gateway', 'eventId'], { unique: true })
@Index('payment_callbacks_by_order', ['orderId'])
export class PaymentCallbackRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payment_callbacks_pkey',
  })
  id: number;

  @Column({ type: 'text' })
  gateway: string;

  @Column({ name: 'event_id', type: 'text' })
  eventId: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  orderId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;
}
