import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { OutboundFailureReason } from '../../platform/index.js';
import type { StoredDeliveryStatus } from '../domain/webhook-events.js';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/**
 * While open, it has a row in `webhook_queue`. No index has a changing column: see the migration.
 */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_by_event', ['eventId', 'subscriptionId'], { unique: true })
@Index('webhook_deliveries_by_subscription', ['subscriptionId', 'id'])
@Check('webhook_deliveries_status', `status IN ('PENDING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED')`)
export class WebhookDelivery {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  readonly id: string;

  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  @ForeignKey(() => WebhookSubscription, { name: 'webhook_deliveries_subscription' })
  @Column('text', { name: 'subscription_id' })
  readonly subscriptionId: string;

  @ForeignKey(() => WebhookEvent, { name: 'webhook_deliveries_event' })
  @Column('text', { name: 'event_id' })
  readonly eventId: string;

  @Column('text')
  readonly status: StoredDeliveryStatus;

  /** Recorded attempts. */
  @Column('integer', { default: 0 })
  readonly attempts: number;

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  readonly finishedAt: Date | null;
}

@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('text', {
    name: 'delivery_id',
    primaryKeyConstraintName: 'webhook_attempts_pkey',
  })
  readonly deliveryId: string;

  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'webhook_attempts_pkey' })
  readonly attempt: number;

  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  @Column('timestamptz', { name: 'started_at' })
  readonly startedAt: Date;

  @Column('integer', { name: 'duration_ms' })
  readonly durationMs: number;

  /** Null without a response. */
  @Column('integer', { name: 'response_status', nullable: true })
  readonly responseStatus: number | null;

  /** The first kilobyte. */
  @Column('text', { name: 'response_excerpt', nullable: true })
  readonly responseExcerpt: string | null;

  /** Null if there was a usable response. */
  @Column('text', { nullable: true })
  readonly failure: OutboundFailureReason | null;
}

/** An open delivery; deleted once finished. */
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

  /** Recorded attempts. */
  @Column('integer', { default: 0 })
  readonly attempts: number;

  @Column('timestamptz', { name: 'next_attempt_at' })
  readonly nextAttemptAt: Date;
}
