import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { WebhookEventName } from '../webhook-events.js';

/** Something that a partner is told: a row of the outbox. */
@Entity('webhook_events')
@Index('webhook_events_by_journey', ['journeyId', 'sequence'], { unique: true })
@Index('webhook_events_by_age', ['createdAt'])
export class WebhookEvent {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'webhook_events_pkey' })
  id: string;

  @Column('text', { name: 'partner_id' })
  partnerId: string;

  @Column('text', { name: 'journey_id' })
  journeyId: string;

  @Column('text')
  name: WebhookEventName;

  /** Counts the journey's events from 1. */
  @Column('integer')
  sequence: number;

  /** The JSON whose UTF-8 bytes every attempt sends. */
  @Column('text')
  body: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
