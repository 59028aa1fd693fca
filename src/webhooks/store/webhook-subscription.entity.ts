import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  CountColumn,
  FlagColumn,
  Leased,
  NowColumn,
  NullableColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
import { PartnerColumn } from '../../auth/store/partner.entity.js';
import type { EventName } from '../domain/webhook-events.js';

interface PreviousSecret {
  readonly sealed: string;
  /** ISO 8601. */
  readonly until: string;
}

/** Its health is in its lane. */
@Entity('webhook_subscriptions')
@Index('webhook_subscriptions_live', ['partnerId'], { where: 'deleted_at IS NULL' })
@Check('webhook_subscriptions_secret', '(secret_sealed IS NULL) = (deleted_at IS NOT NULL)')
export class WebhookSubscription {
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  @TextColumn
  readonly url: string;

  /** Null: every journey event, future ones included, and no alert. */
  @Column('text', { array: true, nullable: true })
  readonly events: readonly EventName[] | null;

  /** Null once deleted. */
  @NullableTextColumn
  readonly secretSealed: string | null;

  /** Replaced in the last 24 hours, newest first; they sign beside the current one. */
  @Column('jsonb', { default: [] })
  readonly previousSecrets: readonly PreviousSecret[];

  @NowColumn
  readonly createdAt: Date;

  @NullableTimeColumn
  readonly deletedAt: Date | null;
}

/** Health, breaker and lease of a subscription; deleted with it. */
@Entity('webhook_lanes')
@Check('webhook_lanes_inactive', 'is_active = (inactive_since IS NULL)')
@Check('webhook_lanes_probe', '(probe_at IS NULL) = (probe_wait_seconds IS NULL)')
export class WebhookLane extends Leased {
  @ForeignKey(() => WebhookSubscription)
  @TextKeyColumn
  readonly subscriptionId: string;

  @TextColumn
  readonly partnerId: string;

  /** While false, nothing is sent, and open deliveries wait. */
  @Column('boolean', { default: true })
  readonly isActive: boolean;

  @NullableTimeColumn
  readonly inactiveSince: Date | null;

  /** Failed attempts in a row. */
  @CountColumn
  readonly failureCount: number;

  /** The first of the failures in a row. */
  @NullableTimeColumn
  readonly failingSince: Date | null;

  /** Whether one of these raises alerts: it was of a journey event, on an active subscription. */
  @FlagColumn
  readonly failsJourneyEvents: boolean;

  /** The last successful attempt. */
  @NullableTimeColumn
  readonly lastDeliveryAt: Date | null;

  /** Set while the breaker is open: no attempt earlier, then one at a time. */
  @NullableTimeColumn
  readonly probeAt: Date | null;

  /** Between the last two probes. */
  @NullableColumn('integer')
  readonly probeWaitSeconds: number | null;

  /** Since it was registered or enabled. */
  @FlagColumn
  readonly hasSucceeded: boolean;

  @NullableTimeColumn
  readonly lastServedAt: Date | null;

  /** When a test event last read it. */
  @NullableTimeColumn
  readonly testedAt: Date | null;

  /** Set on recovery, until the retries have been made due. */
  @NullableTimeColumn
  readonly drainSince: Date | null;
}
