import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An open delivery: when it is due, and how often it was tried. Gone once it is finished. */
@Entity('webhook_queue')
@Index('webhook_queue_first', ['subscriptionId', 'nextAttemptAt', 'deliveryId'], {
  where: 'attempts = 0',
})
@Index('webhook_queue_again', ['subscriptionId', 'nextAttemptAt', 'deliveryId'], {
  where: 'attempts > 0',
})
export class WebhookQueueEntry {
  @PrimaryColumn('text', {
    name: 'delivery_id',
    primaryKeyConstraintName: 'webhook_queue_pkey',
  })
  readonly deliveryId: string;

  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  @Column('text', { name: 'subscription_id' })
  readonly subscriptionId: string;

  @Column('text', { name: 'event_id' })
  readonly eventId: string;

  /** Attempts whose result is on record. */
  @Column('integer', { default: 0 })
  readonly attempts: number;

  @Column('timestamptz', { name: 'next_attempt_at' })
  readonly nextAttemptAt: Date;
}
