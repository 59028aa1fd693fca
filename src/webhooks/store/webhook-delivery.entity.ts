import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { StoredDeliveryStatus } from '../domain/delivery-status.js';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/**
 * The record of one event for one subscription. While it is open, `webhook_queue` has a row of its
 * that says when it is due. None of the columns that change is indexed: see the migration.
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

  /** Attempts whose result is on record. */
  @Column('integer', { default: 0 })
  readonly attempts: number;

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  readonly finishedAt: Date | null;
}
