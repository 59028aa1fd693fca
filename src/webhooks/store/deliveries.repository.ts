import { Injectable } from '@nestjs/common';
import { Columns, Database, type KeptByReset, type Tx } from '../../platform/index.js';
import type { DeliveryStatus, StoredDeliveryStatus } from '../domain/webhook-events.js';
import { WebhookAlert, WebhookAlertEmail } from './webhook-alert.entity.js';
import { WebhookAttempt, WebhookDelivery, WebhookQueueEntry } from './webhook-delivery.entity.js';
import { WebhookEvent, WebhookStream } from './webhook-event.entity.js';
import { WebhookLane, WebhookSubscription } from './webhook-subscription.entity.js';

const columns = new Columns(WebhookDelivery);
const queueColumns = new Columns(WebhookQueueEntry);

/** PostgreSQL refuses a text with a NUL. */
export const DELIVERY_ID = /^dlv_[0-9a-f]{32}$/;

/** An absent field means no filter. */
export interface DeliveriesFilter {
  readonly partnerId?: string;
  readonly subscriptionId?: string;
  readonly status?: DeliveryStatus;
  /** Of the event, inclusive. */
  readonly since?: Date;
}

export interface DeliverySummary extends Pick<
  WebhookDelivery,
  'id' | 'partnerId' | 'subscriptionId' | 'attempts' | 'createdAt'
> {
  readonly url: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  /** Null when finished. */
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  /** Null if there was a usable response or no attempt yet. */
  readonly failure: string | null;
}

export type DeliveryOwner = Pick<WebhookDelivery, 'partnerId' | 'subscriptionId'>;

interface LockedDelivery extends DeliveryOwner {
  readonly status: StoredDeliveryStatus;
  readonly isActive: boolean;
  readonly isDeleted: boolean;
}

@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. Ids rise with time, so the primary key gives the order. */
  list(filter: DeliveriesFilter, max: number): Promise<DeliverySummary[]> {
    const { partnerId, subscriptionId, status, since } = filter;
    return this.database.query(LIST, [
      partnerId ?? null,
      subscriptionId ?? null,
      status ?? null,
      since ?? null,
      max,
    ]);
  }

  /** Locks until the transaction ends: the lane first, as everywhere. */
  async lock(tx: Tx, deliveryId: string): Promise<LockedDelivery | null> {
    if (!DELIVERY_ID.test(deliveryId)) return null;
    await tx.query(
      `SELECT FROM webhook_lanes WHERE subscription_id =
         (SELECT subscription_id FROM webhook_deliveries WHERE id = $1) FOR NO KEY UPDATE`,
      [deliveryId],
    );
    return tx.first(
      `SELECT ${columns.selected(['partnerId', 'subscriptionId', 'status'], 'd')},
         coalesce(l.is_active, false) AS "isActive",
         l.subscription_id IS NULL AS "isDeleted"
       FROM webhook_deliveries AS d
       LEFT JOIN webhook_lanes AS l ON l.subscription_id = d.subscription_id
       WHERE d.id = $1 FOR UPDATE OF d`,
      [deliveryId],
    );
  }

  async reopen(tx: Tx, deliveryId: string): Promise<void> {
    await tx.execute(REOPEN, [deliveryId]);
  }

  /** On a failing subscription, makes this delivery the next attempt, due immediately. */
  async prioritise(tx: Tx, subscriptionId: string, deliveryId: string): Promise<void> {
    await tx.execute(PRIORITISE, [subscriptionId, deliveryId]);
  }

  /** Reopens at most `max` permanent failures since a given time; returns how many. */
  async recover(owner: DeliveryOwner, since: Date, max: number): Promise<number> {
    const values = [owner.partnerId, owner.subscriptionId, since, max];
    return (await this.database.query(RECOVER, values)).length;
  }
}

/**
 * Displayed status of a delivery `d` with lane `l`. Deleted subscriptions have no lane: their open
 * deliveries appear as cancelled.
 */
export const SHOWN_STATUS = `
  CASE WHEN d.status <> 'PENDING' OR l.is_active THEN d.status
    WHEN l.subscription_id IS NULL THEN 'CANCELLED' ELSE 'PAUSED' END`;

const LIST = `
  SELECT ${columns.selected(['id', 'partnerId', 'subscriptionId', 'attempts', 'createdAt'], 'd')},
    s.url, e.name AS event, ${SHOWN_STATUS} AS status, ${queueColumns.selected(['nextAttemptAt'], 'q')},
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
 * Reopens finished deliveries, makes them due and returns their ids; open ones stay unchanged.
 * @param picked a condition on `id`
 */
function reopenStatement(picked: string): string {
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

const REOPEN = reopenStatement('id = $1');

// Locks the lane, so that a subscription deleted meanwhile gets nothing. A UUIDv7 starts with its
// time, so the index scan starts at the given time.
const RECOVER = reopenStatement(`id = ANY (ARRAY(
  SELECT d.id FROM webhook_deliveries d
  WHERE d.partner_id = $1 AND d.subscription_id = $2 AND d.created_at >= $3
    AND d.id >= 'dlv_' || lpad(to_hex(
      greatest(0, extract(epoch FROM $3::timestamptz) * 1000 - 60000)::bigint), 12, '0')
    AND d.status IN ('EXHAUSTED', 'CANCELLED')
    AND EXISTS (SELECT FROM webhook_lanes l WHERE l.subscription_id = d.subscription_id
      FOR KEY SHARE)
  ORDER BY d.id LIMIT $4 FOR UPDATE OF d SKIP LOCKED))`);

// Earlier than the whole queue of the lane and an open breaker's probe.
const PRIORITISE = `
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

/** Cursors expire: positions go on, and events without one are gone too. */
export const WEBHOOKS_KEPT: KeptByReset = {
  entities: [WebhookSubscription, WebhookLane, WebhookStream],
  after: `
    WITH streams AS (
      UPDATE webhook_streams SET placed_to = placed_to + 1, removed_to = placed_to + 1
    ),
    deleted AS (DELETE FROM webhook_subscriptions WHERE deleted_at IS NOT NULL)
    UPDATE webhook_subscriptions SET previous_secrets = '[]' WHERE deleted_at IS NULL`,
};
