import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, NullableColumn } from '../../platform/index.js';
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
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  readonly partnerId: string;

  @ForeignKey(() => WebhookSubscription)
  @Column('text')
  readonly subscriptionId: string;

  @ForeignKey(() => WebhookEvent)
  @Column('text')
  readonly eventId: string;

  @Column('text')
  readonly status: StoredDeliveryStatus;

  /** Recorded attempts. */
  @CountColumn
  readonly attempts: number;

  @Column('timestamptz')
  readonly createdAt: Date;

  @NullableColumn('timestamptz')
  readonly finishedAt: Date | null;
}

@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('text')
  readonly deliveryId: string;

  /** From 1. */
  @PrimaryColumn('integer')
  readonly attempt: number;

  @Column('text')
  readonly partnerId: string;

  @Column('timestamptz')
  readonly startedAt: Date;

  @Column('integer')
  readonly durationMs: number;

  /** Null without a response. */
  @NullableColumn('integer')
  readonly responseStatus: number | null;

  /** The first kilobyte. */
  @NullableColumn('text')
  readonly responseExcerpt: string | null;

  /** Null if there was a usable response. */
  @NullableColumn('text')
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
  @PrimaryColumn('text')
  readonly deliveryId: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly subscriptionId: string;

  @Column('text')
  readonly eventId: string;

  /** Recorded attempts. */
  @CountColumn
  readonly attempts: number;

  @Column('timestamptz')
  readonly nextAttemptAt: Date;
}
