import { Injectable } from '@nestjs/common';
import { Columns, Database } from '../../platform/index.js';
import type { DeliveryStatus } from '../domain/webhook-events.js';
import { SHOWN_STATUS } from './deliveries.repository.js';
import type { DeliveryRow } from './partner-deliveries.repository.js';
import { WebhookAttempt, WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEvent } from './webhook-event.entity.js';
import type { WebhookSubscription } from './webhook-subscription.entity.js';

const MAX_EVENTS = 50;
const MAX_DELIVERIES = 100;
const MAX_ATTEMPTS = 100;

const events = new Columns(WebhookEvent);
const deliveries = new Columns(WebhookDelivery);
const attempts = new Columns(WebhookAttempt);

export type JourneyEvent = Pick<WebhookEvent, 'id' | 'name' | 'sequence' | 'body' | 'createdAt'>;

export type EventDelivery = Pick<WebhookDelivery, 'id' | 'eventId' | 'subscriptionId'> & {
  readonly url: WebhookSubscription['url'];
  readonly status: DeliveryStatus;
  /** Null when finished. */
  readonly nextAttemptAt: Date | null;
};

export type DeliveryTry = Pick<
  WebhookAttempt,
  | 'deliveryId'
  | 'attempt'
  | 'startedAt'
  | 'durationMs'
  | 'responseStatus'
  | 'responseExcerpt'
  | 'failure'
>;

/** Newest first. */
export interface EventHistory {
  readonly events: readonly JourneyEvent[];
  readonly deliveries: readonly EventDelivery[];
  readonly attempts: readonly DeliveryTry[];
  /** Whether a limit applied. */
  readonly isCut: boolean;
}

@Injectable()
export class EventHistories {
  constructor(private readonly database: Database) {}

  /** Null if not found. */
  async delivery(
    partnerId: string,
    subscriptionId: string,
    id: string,
  ): Promise<DeliveryWithBody | null> {
    const values = [partnerId, subscriptionId, id];
    const [found] = await this.database.query<DeliveryWithBody>(DELIVERY, values);
    if (!found) return null;
    const tries = await this.database.query<DeliveryTry>(ATTEMPTS, [[id], MAX_ATTEMPTS, partnerId]);
    const shown = tries.toReversed().map((one) => ({
      ...one,
      startedAt: one.startedAt.toISOString(),
    }));
    return { ...found, attempts: shown };
  }

  async ofJourney(partnerId: string, journeyId: string): Promise<EventHistory> {
    const found = await this.database.query<JourneyEvent>(EVENTS, [
      journeyId,
      partnerId,
      MAX_EVENTS,
    ]);
    const sent = await this.database.query<EventDelivery>(DELIVERIES, [
      found.map(({ id }) => id),
      partnerId,
      MAX_DELIVERIES,
    ]);
    const tries = await this.database.query<DeliveryTry>(ATTEMPTS, [
      sent.map(({ id }) => id),
      MAX_ATTEMPTS,
      partnerId,
    ]);
    return {
      events: found,
      deliveries: sent,
      attempts: tries,
      isCut:
        found.length === MAX_EVENTS ||
        sent.length === MAX_DELIVERIES ||
        tries.length === MAX_ATTEMPTS,
    };
  }
}

/** With at most 100 attempts, the newest. */
interface DeliveryWithBody extends DeliveryRow {
  /** Every attempt sends this text as UTF-8. */
  readonly body: string;
}

const DELIVERY = `
  SELECT ${deliveries.selected(['id', 'eventId', 'createdAt'], 'd')}, e.name AS event,
    e.journey_id AS "journeyId", e.body, ${SHOWN_STATUS} AS status,
    q.next_attempt_at AS "nextAttemptAt"
  FROM webhook_deliveries d
  JOIN webhook_events e ON e.id = d.event_id
  LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id
  LEFT JOIN webhook_queue q ON q.delivery_id = d.id
  WHERE d.id = $3 AND d.partner_id = $1 AND d.subscription_id = $2
`;

const EVENTS = `
  SELECT ${events.selected(['id', 'name', 'sequence', 'body', 'createdAt'])}
  FROM webhook_events WHERE journey_id = $1 AND partner_id = $2
  ORDER BY sequence DESC LIMIT $3
`;

const DELIVERIES = `
  SELECT ${deliveries.selected(['id', 'eventId', 'subscriptionId'], 'd')}, s.url,
    ${SHOWN_STATUS} AS status, q.next_attempt_at AS "nextAttemptAt"
  FROM webhook_deliveries d
  JOIN webhook_subscriptions s ON s.id = d.subscription_id
  LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id
  LEFT JOIN webhook_queue q ON q.delivery_id = d.id
  WHERE d.event_id = ANY ($1::text[]) AND d.partner_id = $2
  ORDER BY d.id DESC LIMIT $3
`;

export const ATTEMPTS = `
  SELECT ${attempts.selected([
    'deliveryId',
    'attempt',
    'startedAt',
    'durationMs',
    'responseStatus',
    'responseExcerpt',
    'failure',
  ])}
  FROM webhook_attempts WHERE delivery_id = ANY ($1::text[]) AND partner_id = $3
  ORDER BY started_at DESC, attempt DESC LIMIT $2
`;
