import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import type { DeliveryStatus, StoredDeliveryStatus } from '../domain/webhook-events.js';
import { WebhookAlert, WebhookAlertEmail } from './webhook-alert.entity.js';
import { WebhookAttempt, WebhookDelivery, WebhookQueueEntry } from './webhook-delivery.entity.js';
import { WebhookEvent, WebhookStream } from './webhook-event.entity.js';
import { WebhookLane, WebhookSubscription } from './webhook-subscription.entity.js';

const columns = new Columns(WebhookDelivery);
const queueColumns = new Columns(WebhookQueueEntry);

/** Which deliveries; what is left out filters nothing. */
export interface DeliveriesFilter {
  readonly partnerId?: string;
  readonly subscriptionId?: string;
  readonly status?: DeliveryStatus;
  /** Those of events from then on. */
  readonly since?: Date;
}

/** A delivery and what came of its last attempt. */
export interface DeliverySummary extends Pick<
  WebhookDelivery,
  'id' | 'partnerId' | 'subscriptionId' | 'attempts' | 'createdAt'
> {
  readonly url: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  /** When it is due; null when it is finished. */
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  /** Why no usable answer came; null when one came, or nobody tried yet. */
  readonly failure: string | null;
}

/** The partner and the subscription that a delivery is for. */
export type DeliveryOwner = Pick<WebhookDelivery, 'partnerId' | 'subscriptionId'>;

/** A delivery and how its subscription stands. */
interface LockedDelivery extends DeliveryOwner {
  readonly status: StoredDeliveryStatus;
  readonly isActive: boolean;
  readonly isDeleted: boolean;
}

/** The deliveries across partners, and what has finished ones sent again. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** The newest first. Ids rise with time, so the primary key serves as the order. */
  list(filter: DeliveriesFilter, max: number): Promise<DeliverySummary[]> {
    const { partnerId, subscriptionId, status, since } = filter;
    return this.database.query<DeliverySummary & Record<string, unknown>>(LIST, [
      partnerId ?? null,
      subscriptionId ?? null,
      status ?? null,
      since ?? null,
      max,
    ]);
  }

  /** Held until the transaction ends: the lane first, as everywhere. */
  async lock(tx: Tx, deliveryId: string): Promise<LockedDelivery | null> {
    await tx.query(
      `SELECT FROM webhook_lanes WHERE subscription_id =
         (SELECT subscription_id FROM webhook_deliveries WHERE id = $1) FOR NO KEY UPDATE`,
      [deliveryId],
    );
    const [delivery] = await tx.query<LockedDelivery>(
      `SELECT ${columns.selected('d', ['partnerId', 'subscriptionId', 'status'])},
         coalesce(l.is_active, false) AS "isActive",
         l.subscription_id IS NULL AS "isDeleted"
       FROM webhook_deliveries AS d
       LEFT JOIN webhook_lanes AS l ON l.subscription_id = d.subscription_id
       WHERE d.id = $1 FOR UPDATE OF d`,
      [deliveryId],
    );
    return delivery ?? null;
  }

  /** Opens a finished delivery again and makes it due. */
  async sendAgain(tx: Tx, deliveryId: string): Promise<void> {
    await tx.execute(SEND_AGAIN, [deliveryId]);
  }

  /** On a subscription that fails, the delivery is the next to be tried, and at once. */
  async tryNext(tx: Tx, subscriptionId: string, deliveryId: string): Promise<void> {
    await tx.execute(TRY_NEXT, [subscriptionId, deliveryId]);
  }

  /**
   * Opens again so many at most of those that failed for good on a subscription since a moment; each
   * is due then.
   * @returns how many
   */
  async recover(owner: DeliveryOwner, since: Date, max: number): Promise<number> {
    const values = [owner.partnerId, owner.subscriptionId, since, max];
    return (await this.database.query(RECOVER, values)).length;
  }
}

/**
 * The status that is shown of a delivery `d` whose lane, if there is one, is `l`. Without a lane the
 * subscription is deleted, and what waited for it is cancelled before its row says so.
 */
export const SHOWN_STATUS = `
  CASE WHEN d.status <> 'PENDING' OR l.is_active THEN d.status
    WHEN l.subscription_id IS NULL THEN 'CANCELLED' ELSE 'PAUSED' END`;

const LIST = `
  SELECT ${columns.selected('d', ['id', 'partnerId', 'subscriptionId', 'attempts', 'createdAt'])},
    s.url, e.name AS event, ${SHOWN_STATUS} AS status, ${queueColumns.selected('q', ['nextAttemptAt'])},
    last.response_status AS "responseStatus", last.failure
  FROM webhook_deliveries AS d
  JOIN webhook_subscriptions AS s ON s.id = d.subscription_id
  JOIN webhook_events AS e ON e.id = d.event_id
  LEFT JOIN webhook_lanes AS l ON l.subscription_id = d.subscription_id
  LEFT JOIN webhook_queue AS q ON q.delivery_id = d.id AND l.subscription_id IS NOT NULL
  LEFT JOIN webhook_attempts AS last ON last.delivery_id = d.id AND last.attempt = d.attempts
  WHERE ($1::text IS NULL OR d.partner_id = $1) AND ($2::text IS NULL OR d.subscription_id = $2)
    AND ($3::text IS NULL OR ${SHOWN_STATUS} = $3) AND ($4::timestamptz IS NULL OR d.created_at >= $4)
  ORDER BY d.id DESC LIMIT $5
`;

const QUEUED = columns.list(['id', 'partnerId', 'subscriptionId', 'eventId', 'attempts']);

/**
 * A statement that opens finished deliveries again and makes them due; their attempts count on. It
 * answers their ids; one that was open already is left as it is.
 * @param picked which ones, as a condition on their `id`
 */
function sendAgain(picked: string): string {
  return `
    WITH opened AS (
      UPDATE webhook_deliveries SET status = 'PENDING', finished_at = NULL
      WHERE ${picked} AND finished_at IS NOT NULL
      RETURNING ${QUEUED}
    )
    INSERT INTO webhook_queue (${queueColumns.list([
      'deliveryId',
      'partnerId',
      'subscriptionId',
      'eventId',
      'attempts',
      'nextAttemptAt',
    ])})
    SELECT ${QUEUED}, app_now() FROM opened
    RETURNING delivery_id AS id`;
}

const SEND_AGAIN = sendAgain('id = $1');

// The lane is looked at once more, and kept, so that a subscription deleted meanwhile gets nothing.
// Ids rise with time, so the index by subscription begins at the moment (a UUIDv7 begins with its
// milliseconds).
const RECOVER = sendAgain(`id = ANY (ARRAY(
  SELECT d.id FROM webhook_deliveries d
  WHERE d.partner_id = $1 AND d.subscription_id = $2 AND d.created_at >= $3
    AND d.id >= 'dlv_' || lpad(to_hex(
      greatest(0, extract(epoch FROM $3::timestamptz) * 1000 - 60000)::bigint), 12, '0')
    AND d.status IN ('EXHAUSTED', 'CANCELLED')
    AND EXISTS (SELECT FROM webhook_lanes l WHERE l.subscription_id = d.subscription_id
      FOR KEY SHARE)
  ORDER BY d.id LIMIT $4 FOR UPDATE OF d SKIP LOCKED))`);

// Before all that waits there, the probe of an open breaker included.
const TRY_NEXT = `
  WITH lane AS (
    UPDATE webhook_lanes
    SET probe_at = CASE WHEN probe_at IS NULL THEN NULL ELSE least(probe_at, app_now()) END
    WHERE subscription_id = $1 AND failure_count > 0
    RETURNING subscription_id
  )
  UPDATE webhook_queue q SET next_attempt_at = least(q.next_attempt_at, (
    SELECT min(next_attempt_at) FROM (
      (${earliest('attempts = 0')}) UNION ALL (${earliest('attempts > 0')})
    ) AS first_of_both) - interval '1 millisecond')
  FROM lane WHERE q.delivery_id = $2
`;

function earliest(kind: string): string {
  return `
    SELECT next_attempt_at FROM webhook_queue
    WHERE ${kind} AND subscription_id = $1 ORDER BY next_attempt_at LIMIT 1`;
}

/** The tables of this module, for the data source. */
export const WEBHOOK_ENTITIES = [
  WebhookSubscription,
  WebhookLane,
  WebhookEvent,
  WebhookStream,
  WebhookDelivery,
  WebhookQueueEntry,
  WebhookAttempt,
  WebhookAlert,
  WebhookAlertEmail,
];
