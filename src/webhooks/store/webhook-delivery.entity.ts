import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/** What a delivery's row says; the first is open, the others are final. */
const STORED_STATUSES = ['PENDING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const;

/** What is shown: an open delivery whose subscription is inactive is PAUSED. */
export const DELIVERY_STATUSES = [...STORED_STATUSES, 'PAUSED'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

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
  id: string;

  @Column('text', { name: 'partner_id' })
  partnerId: string;

  @ForeignKey(() => WebhookSubscription, { name: 'webhook_deliveries_subscription' })
  @Column('text', { name: 'subscription_id' })
  subscriptionId: string;

  @ForeignKey(() => WebhookEvent, { name: 'webhook_deliveries_event' })
  @Column('text', { name: 'event_id' })
  eventId: string;

  @Column('text')
  status: (typeof STORED_STATUSES)[number];

  /** Attempts whose result is on record. */
  @Column('integer', { default: 0 })
  attempts: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
