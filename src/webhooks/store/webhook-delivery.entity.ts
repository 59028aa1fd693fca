import { Check, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  CountColumn,
  IntegerColumn,
  NullableColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
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
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @ForeignKey(() => WebhookSubscription)
  @TextColumn
  readonly subscriptionId: string;

  @ForeignKey(() => WebhookEvent)
  @TextColumn
  readonly eventId: string;

  @TextColumn
  readonly status: StoredDeliveryStatus;

  /** Recorded attempts. */
  @CountColumn
  readonly attempts: number;

  @TimeColumn
  readonly createdAt: Date;

  @NullableTimeColumn
  readonly finishedAt: Date | null;
}

@Entity('webhook_attempts')
export class WebhookAttempt {
  @TextKeyColumn
  readonly deliveryId: string;

  /** From 1. */
  @PrimaryColumn('integer')
  readonly attempt: number;

  @TextColumn
  readonly partnerId: string;

  @TimeColumn
  readonly startedAt: Date;

  @IntegerColumn
  readonly durationMs: number;

  /** Null without a response. */
  @NullableColumn('integer')
  readonly responseStatus: number | null;

  /** The first kilobyte. */
  @NullableTextColumn
  readonly responseExcerpt: string | null;

  /** Null if there was a usable response. */
  @NullableTextColumn
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
  @TextKeyColumn
  readonly deliveryId: string;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subscriptionId: string;

  @TextColumn
  readonly eventId: string;

  /** Recorded attempts. */
  @CountColumn
  readonly attempts: number;

  @TimeColumn
  readonly nextAttemptAt: Date;
}
