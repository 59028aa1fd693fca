import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/** PENDING and PAUSED are open; the others are final. */
export const DELIVERY_STATUSES = [
  'PENDING',
  'SUCCEEDED',
  'EXHAUSTED',
  'PAUSED',
  'CANCELLED',
] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One event on its way to one subscription. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_by_event', ['eventId', 'subscriptionId'], { unique: true })
@Index('webhook_deliveries_due', ['subscriptionId', 'nextAttemptAt'], {
  where: `status = 'PENDING'`,
})
@Index('webhook_deliveries_leased', ['subscriptionId'], { where: 'lease_until IS NOT NULL' })
@Index('webhook_deliveries_paused', ['subscriptionId', 'createdAt'], {
  where: `status = 'PAUSED'`,
})
@Index('webhook_deliveries_finished', ['finishedAt'], { where: 'finished_at IS NOT NULL' })
@Check(
  'webhook_deliveries_status',
  `status IN ('PENDING', 'SUCCEEDED', 'EXHAUSTED', 'PAUSED', 'CANCELLED')`,
)
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
  status: DeliveryStatus;

  /** Attempts whose result is on record. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** From when on it may be claimed; while it is claimed, the end of the lease. */
  @Column('timestamptz', { name: 'next_attempt_at' })
  nextAttemptAt: Date;

  /** Raised by every claim; a result reported under a lower one is void. */
  @Column('bigint', { name: 'lease_token', default: 0 })
  leaseToken: number;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
