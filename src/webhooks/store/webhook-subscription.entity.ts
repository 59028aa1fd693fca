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
