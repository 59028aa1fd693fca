import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { WebhookEventName } from '../events/webhook-events.js';

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

  @Column('text', { name: 'journey_id' })
  readonly journeyId: string;

  @Column('text')
  readonly name: WebhookEventName;

  /** Counts the journey's events from 1. */
  @Column('integer')
  readonly sequence: number;

  /** The JSON whose UTF-8 bytes every attempt sends. */
  @Column('text')
  readonly body: string;

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt: Date;

  /** Its place in its partner's stream, from 1; null until the partner asks for it. */
  @Column('bigint', { nullable: true })
  readonly position: number | null;
}
