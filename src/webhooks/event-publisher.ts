import { Injectable } from '@nestjs/common';
import { IdGenerator, type Tx } from '../platform/index.js';
import { DeliveriesDue } from './deliveries-due.js';
import { eventBody, type PublishedEvent } from './published-event.js';

/** A subscription that wants an event. */
interface Recipient {
  /** The place of the event among those that are published together, from 1. */
  readonly place: number;
  readonly id: string;
}

/** Puts events on their way to whoever subscribed to them. */
@Injectable()
export class EventPublisher {
  constructor(
    private readonly ids: IdGenerator,
    private readonly due: DeliveriesDue,
  ) {}

  /**
   * Writes an event and a delivery for each subscription of the partner that wants it, in the
   * transaction of the change that it tells of: both are there, or neither. The sender is woken
   * after the commit.
   * @throws QueryFailedError when the journey has an event of this sequence number already
   */
  publish(tx: Tx, event: PublishedEvent): Promise<void> {
    return this.publishAll(tx, [event]);
  }

  /** The same for the events of several journeys. */
  async publishAll(tx: Tx, published: readonly PublishedEvent[]): Promise<void> {
    const events = published.map((event) => ({ ...event, id: this.ids.next('evt') }));
    const recipients = await tx.query<Recipient>(RECIPIENTS, [
      events.map(({ partnerId }) => partnerId),
      events.map(({ name }) => name),
    ]);
    const rows = events.map((event) => ({
      id: event.id,
      partner_id: event.partnerId,
      journey_id: event.journeyId,
      name: event.name,
      sequence: event.sequence,
      body: eventBody(event.id, event),
      created_at: event.createdAt,
    }));
    const deliveries = recipients.map(({ place, id }) => ({
      id: this.ids.next('dlv'),
      partner_id: events[place - 1].partnerId,
      subscription_id: id,
      event_id: events[place - 1].id,
    }));
    await tx.execute(WRITE, [JSON.stringify(rows), JSON.stringify(deliveries)]);
    if (recipients.length > 0) tx.afterCommit(() => this.due.raise());
  }
}

// Takes no lock: a subscription that is deleted at this very moment is put right when deliveries are
// claimed, and by the upkeep. An inactive one's deliveries wait.
const RECIPIENTS = `
  SELECT e.place::integer, s.id
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS e (partner_id, name, place)
  JOIN webhook_subscriptions AS s ON s.partner_id = e.partner_id AND s.deleted_at IS NULL
    AND (s.events IS NULL OR e.name = ANY (s.events))
`;

const WRITE = `
  WITH event AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    SELECT id, partner_id, journey_id, name, sequence, body, created_at
    FROM jsonb_populate_recordset(NULL::webhook_events, $1)
  ),
  recipient AS MATERIALIZED (
    SELECT id, partner_id, subscription_id, event_id, app_now() AS now
    FROM jsonb_populate_recordset(NULL::webhook_deliveries, $2)
  ),
  queued AS (
    INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, next_attempt_at)
    SELECT id, partner_id, subscription_id, event_id, now FROM recipient
  )
  INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, created_at)
  SELECT id, partner_id, subscription_id, event_id, 'PENDING', now FROM recipient
`;
