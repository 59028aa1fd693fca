import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../platform/index.js';
import { DeliveriesDue } from './deliveries-due.js';
import { queueAgain, SHOWN_STATUS } from './delivery-sql.js';
import type { DeliveryStatus } from './store/webhook-delivery.entity.js';

/** Which deliveries; what is left out filters nothing. */
export interface DeliveriesFilter {
  readonly partnerId?: string;
  readonly subscriptionId?: string;
  readonly status?: DeliveryStatus;
  /** Those of events from then on. */
  readonly since?: Date;
}

/** A delivery and what came of its last attempt. */
export interface DeliverySummary {
  readonly id: string;
  readonly partnerId: string;
  readonly subscriptionId: string;
  readonly url: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly createdAt: Date;
  /** When it is due; null when it is finished. */
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  /** Why no usable answer came; null when one came, or nobody tried yet. */
  readonly failure: string | null;
}

/** The partner and the subscription that a delivery is for. */
export interface DeliveryOwner {
  readonly partnerId: string;
  readonly subscriptionId: string;
}

/** What came of the wish to have a delivery sent again. */
export type Redelivery =
  /** It is due now; the sender takes it at its next look, within a second. */
  | 'DUE'
  | 'NOT_FOUND'
  /** It has not been finished: it is on its way, or waits for its subscription. */
  | 'OPEN'
  | 'SUBSCRIPTION_DELETED'
  | 'SUBSCRIPTION_INACTIVE';

interface Standing extends DeliveryOwner {
  /** As it is stored. */
  status: DeliveryStatus;
  isActive: boolean;
  isDeleted: boolean;
}

/** The deliveries as they are handled; listed as the operator sees them, across partners. */
@Injectable()
export class DeliveryDesk {
  constructor(
    private readonly database: Database,
    private readonly due: DeliveriesDue,
  ) {}

  /** The newest first. Ids rise with time, so the primary key serves as the order. */
  list(filter: DeliveriesFilter, most: number): Promise<DeliverySummary[]> {
    const { partnerId, subscriptionId, status, since } = filter;
    return this.database.query<DeliverySummary & Record<string, unknown>>(LIST, [
      partnerId ?? null,
      subscriptionId ?? null,
      status ?? null,
      since ?? null,
      most,
    ]);
  }

  /**
   * Has a finished delivery sent again: the same one, since an event has one delivery a
   * subscription. Its attempts count on, so one that used all of its attempts up gets one more, and
   * one that was delivered early on gets the rest of its schedule if it fails now. Somebody wants to see
   * whether it arrives, so on a subscription that fails it is the next to be tried, at once.
   * @param owner whose it must be; null: the operator asks
   */
  redeliver(deliveryId: string, owner: DeliveryOwner | null = null): Promise<Redelivery> {
    return this.database.transaction(async (tx) => {
      const standing = await this.lock(tx, deliveryId);
      if (!standing || (owner && !isOwnedBy(standing, owner))) return 'NOT_FOUND';
      if (standing.isDeleted) return 'SUBSCRIPTION_DELETED';
      if (standing.status === 'PENDING') return 'OPEN';
      if (!standing.isActive) return 'SUBSCRIPTION_INACTIVE';
      await tx.execute(REDELIVER, [deliveryId]);
      await tx.execute(TRY_NEXT, [standing.subscriptionId, deliveryId]);
      tx.afterCommit(() => this.due.raise());
      return 'DUE';
    });
  }

  /** The lane first, as everywhere. */
  private async lock(tx: Tx, deliveryId: string): Promise<Standing | undefined> {
    await tx.query(
      `SELECT FROM webhook_lanes WHERE subscription_id =
         (SELECT subscription_id FROM webhook_deliveries WHERE id = $1) FOR NO KEY UPDATE`,
      [deliveryId],
    );
    const [standing] = await tx.query<Standing>(
      `SELECT d.partner_id AS "partnerId", d.subscription_id AS "subscriptionId", d.status,
         coalesce(l.is_active, false) AS "isActive",
         l.subscription_id IS NULL AS "isDeleted"
       FROM webhook_deliveries AS d
       LEFT JOIN webhook_lanes AS l ON l.subscription_id = d.subscription_id
       WHERE d.id = $1 FOR UPDATE OF d`,
      [deliveryId],
    );
    return standing;
  }
}

function isOwnedBy(standing: DeliveryOwner, owner: DeliveryOwner): boolean {
  return standing.partnerId === owner.partnerId && standing.subscriptionId === owner.subscriptionId;
}

const REDELIVER = queueAgain('id = $1');

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

const LIST = `
  SELECT d.id, d.partner_id AS "partnerId", d.subscription_id AS "subscriptionId", s.url,
    e.name AS event, ${SHOWN_STATUS} AS status, d.attempts, d.created_at AS "createdAt",
    q.next_attempt_at AS "nextAttemptAt", last.response_status AS "responseStatus", last.failure
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
