import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  NullableColumn,
  NullableTextColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import { Partner } from '../../auth/store/partner.entity.js';
import type { EventName } from '../domain/webhook-events.js';

/** A row of the outbox. */
@Entity('webhook_events')
@Index('webhook_events_by_journey', ['journeyId', 'sequence'], { unique: true })
@Index('webhook_events_by_application', ['applicationId', 'sequence'], {
  unique: true,
  where: 'application_id IS NOT NULL',
})
@Index('webhook_events_by_position', ['partnerId', 'position'], {
  unique: true,
  where: 'position IS NOT NULL',
})
@Index('webhook_events_unplaced', ['partnerId', 'id'], { where: 'position IS NULL' })
export class WebhookEvent {
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  /** Null: an alert, or an event of a lead. */
  @NullableTextColumn
  readonly journeyId: string | null;

  /** Of an event of a lead. */
  @NullableTextColumn
  readonly applicationId: string | null;

  @TextColumn
  readonly name: EventName;

  /** Counts the events of the journey, or of the lead, from 1; null for an alert. */
  @NullableColumn('integer')
  readonly sequence: number | null;

  /** The JSON that every attempt sends as UTF-8. */
  @TextColumn
  readonly body: string;

  @TimeColumn
  readonly createdAt: Date;

  /** In the partner's stream, from 1; null until the partner reads it. */
  @NullableColumn('bigint')
  readonly position: number | null;
}

/** From the partner's first read on. */
@Entity('webhook_streams')
@Check('webhook_streams_removed', 'removed_to <= placed_to')
export class WebhookStream {
  @ForeignKey(() => Partner)
  @TextKeyColumn
  readonly partnerId: string;

  /** The last assigned position; some have no event. */
  @Column('bigint', { default: 0 })
  readonly placedTo: number;

  /** A cursor before this has expired. */
  @Column('bigint', { default: 0 })
  readonly removedTo: number;
}
