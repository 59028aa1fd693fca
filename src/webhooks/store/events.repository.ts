import { Injectable } from '@nestjs/common';
import { Columns, type Tx } from '../../platform/index.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookQueueEntry } from './webhook-queue-entry.entity.js';

const eventColumns = new Columns(WebhookEvent);
const deliveryColumns = new Columns(WebhookDelivery);
const queueColumns = new Columns(WebhookQueueEntry);

/** A subscription that wants an event. */
export interface Recipient {
  /** Which of the events, from 1. */
  readonly ordinal: number;
  readonly subscriptionId: string;
}

const NEW_EVENT = [
  'id',
  'partnerId',
  'journeyId',
  'name',
  'sequence',
  'body',
  'createdAt',
] as const;

export type NewEvent = Pick<WebhookEvent, (typeof NEW_EVENT)[number]>;
export type NewDelivery = Pick<WebhookDelivery, 'id' | 'partnerId' | 'subscriptionId' | 'eventId'>;

/** The outbox: events and, for each, the deliveries that it makes. */
@Injectable()
export class EventsRepository {
  /** The subscriptions that want these events, each of the event's own partner. */
  recipients(
    tx: Tx,
    events: readonly Pick<WebhookEvent, 'partnerId' | 'name'>[],
  ): Promise<Recipient[]> {
    return tx.query(RECIPIENTS, [
      events.map(({ partnerId }) => partnerId),
      events.map(({ name }) => name),
    ]);
  }

  /**
   * Writes events and deliveries, which are due at once, in one statement.
   * @throws QueryFailedError when a journey has an event of a sequence number already
   */
  async insert(
    tx: Tx,
    events: readonly NewEvent[],
    deliveries: readonly NewDelivery[],
  ): Promise<void> {
    await tx.execute(INSERT, [
      JSON.stringify(events.map((event) => eventColumns.toRecord(event))),
      JSON.stringify(deliveries.map((delivery) => deliveryColumns.toRecord(delivery))),
    ]);
  }
}

// Takes no lock: a subscription that is deleted at this very moment is put right when deliveries are
// claimed, and by the upkeep. An inactive one's deliveries wait.
const RECIPIENTS = `
  SELECT e.ordinal::integer, s.id AS "subscriptionId"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS e (partner_id, name, ordinal)
  JOIN webhook_subscriptions AS s ON s.partner_id = e.partner_id AND s.deleted_at IS NULL
    AND (s.events IS NULL OR e.name = ANY (s.events))
`;

const EVENT = eventColumns.list(NEW_EVENT);
const DELIVERY = deliveryColumns.list(['id', 'partnerId', 'subscriptionId', 'eventId']);

const INSERT = `
  WITH event AS (
    INSERT INTO webhook_events (${EVENT})
    SELECT ${EVENT} FROM jsonb_populate_recordset(NULL::webhook_events, $1)
  ),
  recipient AS MATERIALIZED (
    SELECT ${DELIVERY}, app_now() AS now
    FROM jsonb_populate_recordset(NULL::webhook_deliveries, $2)
  ),
  queued AS (
    INSERT INTO webhook_queue (${queueColumns.list([
      'deliveryId',
      'partnerId',
      'subscriptionId',
      'eventId',
      'nextAttemptAt',
    ])})
    SELECT ${DELIVERY}, now FROM recipient
  )
  INSERT INTO webhook_deliveries (${DELIVERY}, status, created_at)
  SELECT ${DELIVERY}, 'PENDING', now FROM recipient
`;
