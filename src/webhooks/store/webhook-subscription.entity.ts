import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { EventName } from '../domain/webhook-events.js';

interface PreviousSecret {
  readonly sealed: string;
  /** ISO 8601. */
  readonly until: string;
}

/** A partner's address for events; how what is sent there fares stands in its lane. */
@Entity('webhook_subscriptions')
@Index('webhook_subscriptions_live', ['partnerId'], { where: 'deleted_at IS NULL' })
@Check('webhook_subscriptions_secret', '(secret_sealed IS NULL) = (deleted_at IS NOT NULL)')
export class WebhookSubscription {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'webhook_subscriptions_pkey' })
  readonly id: string;

  @ForeignKey(() => Partner, { name: 'webhook_subscriptions_partner' })
  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  @Column('text')
  readonly url: string;

  /** Null: every event of journeys, those added later too, and no alert. */
  @Column('text', { array: true, nullable: true })
  readonly events: readonly EventName[] | null;

  /** Null once the subscription is deleted. */
  @Column('text', { name: 'secret_sealed', nullable: true })
  readonly secretSealed: string | null;

  /** Those replaced in the last day, newest first: they sign beside the current one. */
  @Column('jsonb', { name: 'previous_secrets', default: [] })
  readonly previousSecrets: readonly PreviousSecret[];

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  readonly createdAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  readonly deletedAt: Date | null;
}

/**
 * What moves of a subscription: its health, its breaker, and the lease of the sender that serves it.
 * A deleted subscription has none.
 */
@Entity('webhook_lanes')
@Check('webhook_lanes_inactive', 'is_active = (inactive_since IS NULL)')
@Check('webhook_lanes_probe', '(probe_at IS NULL) = (probe_wait_seconds IS NULL)')
export class WebhookLane {
  @ForeignKey(() => WebhookSubscription, { name: 'webhook_lanes_subscription' })
  @PrimaryColumn('text', {
    name: 'subscription_id',
    primaryKeyConstraintName: 'webhook_lanes_pkey',
  })
  readonly subscriptionId: string;

  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  /** While false, nothing is sent, and open deliveries wait. */
  @Column('boolean', { name: 'is_active', default: true })
  readonly isActive: boolean;

  @Column('timestamptz', { name: 'inactive_since', nullable: true })
  readonly inactiveSince: Date | null;

  /** Failed attempts in a row. */
  @Column('integer', { name: 'failure_count', default: 0 })
  readonly failureCount: number;

  /** When the first of the failures in a row was. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  readonly failingSince: Date | null;

  /** Whether one of the failures in a row was of a journey's event: alerts alone raise no alert. */
  @Column('boolean', { name: 'fails_journey_events', default: false })
  readonly failsJourneyEvents: boolean;

  /** The last attempt that succeeded. */
  @Column('timestamptz', { name: 'last_delivery_at', nullable: true })
  readonly lastDeliveryAt: Date | null;

  /** Set while the breaker is open: nothing is sent before, and then one delivery at a time. */
  @Column('timestamptz', { name: 'probe_at', nullable: true })
  readonly probeAt: Date | null;

  /** The wait between the last two probes. */
  @Column('integer', { name: 'probe_wait_seconds', nullable: true })
  readonly probeWaitSeconds: number | null;

  /** Whether a delivery has succeeded since it was registered or enabled. */
  @Column('boolean', { name: 'has_succeeded', default: false })
  readonly hasSucceeded: boolean;

  @Column('timestamptz', { name: 'last_served_at', nullable: true })
  readonly lastServedAt: Date | null;

  /** Raised whenever the lane changes hands; what is reported under a lower one is void. */
  @Column('bigint', { name: 'lease_token', default: 0 })
  readonly leaseToken: number;

  /** Null, or past: nobody holds the lane. */
  @Column('timestamptz', { name: 'lease_until', nullable: true })
  readonly leaseUntil: Date | null;

  /** When it was last read for a test event. */
  @Column('timestamptz', { name: 'tested_at', nullable: true })
  readonly testedAt: Date | null;

  /** Set when the lane works again, until what waited for a retry has been made due. */
  @Column('timestamptz', { name: 'drain_since', nullable: true })
  readonly drainSince: Date | null;
}
