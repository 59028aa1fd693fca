import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { EventName } from '../domain/webhook-events.js';

/** Something that a partner is told: a row of the outbox. */
@Entity('webhook_events')
@Index('webhook_events_by_journey', ['journeyId', 'sequence'], { unique: true })
@Index('webhook_events_by_position', ['partnerId', 'position'], {
  unique: true,
  where: 'position IS NOT NULL',
})
@Index('webhook_events_unplaced', ['partnerId', 'id'], { where: 'position IS NULL' })
export class WebhookEvent {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'webhook_events_pkey' })
  readonly id: string;

  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  /** Null: an alert. */
  @Column('text', { name: 'journey_id', nullable: true })
  readonly journeyId: string | null;

  @Column('text')
  readonly name: EventName;

  /** Counts the journey's events from 1; null for an alert. */
  @Column('integer', { nullable: true })
  readonly sequence: number | null;

  /** The JSON whose UTF-8 bytes every attempt sends. */
  @Column('text')
  readonly body: string;

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt: Date;

  /** Its place in its partner's stream, from 1; null until the partner asks for it. */
  @Column('bigint', { nullable: true })
  readonly position: number | null;
}

/** A partner's events in the order in which it reads them, by their positions; from its first read on. */
@Entity('webhook_streams')
@Check('webhook_streams_removed', 'removed_to <= placed_to')
export class WebhookStream {
  @ForeignKey(() => Partner, { name: 'webhook_streams_partner' })
  @PrimaryColumn('text', {
    name: 'partner_id',
    primaryKeyConstraintName: 'webhook_streams_pkey',
  })
  readonly partnerId: string;

  /** The last position that is taken; not every one before it has an event. */
  @Column('bigint', { name: 'placed_to', default: 0 })
  readonly placedTo: number;

  /** An event up to here was removed for its age: what has not been read by now is not whole. */
  @Column('bigint', { name: 'removed_to', default: 0 })
  readonly removedTo: number;
}
