import { Injectable } from '@nestjs/common';
import { type AuditSource, type CurrentRecord, detailOf, textOf } from '../../audit/index.js';
import { Columns, RowArrays, type Tx } from '../../platform/index.js';
import { isInAllEvents } from '../domain/webhook-events.js';
import { DAYS_KEPT } from './delivery-upkeep.repository.js';
import { WebhookDelivery, WebhookQueueEntry } from './webhook-delivery.entity.js';
import { WebhookEvent } from './webhook-event.entity.js';

const eventColumns = new Columns(WebhookEvent);
const deliveryColumns = new Columns(WebhookDelivery);
const queueColumns = new Columns(WebhookQueueEntry);

interface Recipient {
  /** Index of the event, from 1. */
  readonly ordinal: number;
  readonly subscriptionId: string;
}

const NEW_EVENT = [
  'id',
  'partnerId',
  'journeyId',
  'applicationId',
  'name',
  'sequence',
  'body',
  'createdAt',
] as const;

type NewEvent = Pick<WebhookEvent, (typeof NEW_EVENT)[number]>;

/** `aboutSubscription` does not receive the alert about itself. */
export type OutgoingEvent = NewEvent & { readonly aboutSubscription: string | null };

type NewDelivery = Pick<WebhookDelivery, 'id' | 'partnerId' | 'subscriptionId' | 'eventId'>;

/** The outbox: events and their deliveries. */
@Injectable()
export class EventsRepository {
  /** Each of the event's own partner. */
  recipients(
    tx: Tx,
    events: readonly Pick<OutgoingEvent, 'partnerId' | 'name' | 'aboutSubscription'>[],
  ): Promise<Recipient[]> {
    return tx.query(RECIPIENTS, [
      events.map(({ partnerId }) => partnerId),
      events.map(({ name }) => name),
      events.map(({ name }) => !isInAllEvents(name)),
      events.map(({ aboutSubscription }) => aboutSubscription),
    ]);
  }

  /**
   * Deliveries are due immediately.
   * @throws QueryFailedError if a journey already has an event with the same sequence number
   */
  async insert(
    tx: Tx,
    events: readonly NewEvent[],
    deliveries: readonly NewDelivery[],
  ): Promise<void> {
    await tx.execute(INSERT, [...EVENTS.values(events), ...DELIVERIES.values(deliveries)]);
  }
}

// Takes no lock: the claim and the upkeep handle subscriptions deleted meanwhile. Only
// subscriptions that name an alert or a lead event get it, since others may not know its body.
const RECIPIENTS = `
  SELECT e.ordinal::integer, s.id AS "subscriptionId"
  FROM unnest($1::text[], $2::text[], $3::boolean[], $4::text[])
    WITH ORDINALITY AS e (partner_id, name, must_be_named, about_subscription, ordinal)
  JOIN webhook_subscriptions AS s ON s.partner_id = e.partner_id AND s.deleted_at IS NULL
    AND ((s.events IS NULL AND NOT e.must_be_named) OR e.name = ANY (s.events))
    AND s.id IS DISTINCT FROM e.about_subscription
  WHERE s.partner_id = ANY ($1)
`;

const EVENTS = new RowArrays(eventColumns, NEW_EVENT);
const DELIVERIES = new RowArrays(
  deliveryColumns,
  ['id', 'partnerId', 'subscriptionId', 'eventId'],
  { first: EVENTS.count + 1, more: '(SELECT app_now()) AS now' },
);
const DELIVERY = DELIVERIES.list;

const INSERT = `
  WITH event AS (
    INSERT INTO webhook_events (${EVENTS.list}) ${EVENTS.select}
  ),
  recipient AS MATERIALIZED (
    ${DELIVERIES.select}
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

/** @param audit rows with the event's id and its body's SHA-256 */
export function eventRecord(audit: AuditSource): CurrentRecord {
  return {
    table: 'webhook_events',
    subject: ['journey_id'],
    key: 'id',
    values: { body: `encode(sha256(convert_to(r.body, 'UTF8')), 'hex')` },
    determinedBy: (table, row) => {
      const { eventId, eventHash } = detailOf(row);
      if (table !== audit.table || eventId === undefined) return null;
      return { key: textOf(eventId), values: { body: eventHash } };
    },
    removedAfterDays: DAYS_KEPT,
  };
}
