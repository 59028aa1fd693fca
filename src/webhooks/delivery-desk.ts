import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../platform/index.js';
import type { DeliveryStatus } from './webhook-delivery.entity.js';

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

/** What came of the wish to have a delivery sent again. */
export type Redelivery =
  /** It is due now; the sender takes it at its next look, within a second. */
  | 'DUE'
  | 'NOT_FOUND'
  /** It has not been finished: it is on its way, or waits for its subscription. */
  | 'OPEN'
  | 'CANCELLED'
  | 'SUBSCRIPTION_DELETED'
  | 'SUBSCRIPTION_INACTIVE';

interface Standing {
  status: DeliveryStatus;
  isActive: boolean;
  isDeleted: boolean;
}

/** The deliveries as the operator sees and handles them, across partners. */
@Injectable()
export class DeliveryDesk {
  constructor(private readonly database: Database) {}

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
   * Has a finished delivery sent again: the row itself, since an event has one delivery a
   * subscription. Its attempts count on, so one that used all of its attempts up gets one more, and
   * one that was delivered early on gets the rest of its schedule if it fails now.
   */
  redeliver(deliveryId: string): Promise<Redelivery> {
    return this.database.transaction(async (tx) => {
      const standing = await this.lock(tx, deliveryId);
      if (!standing) return 'NOT_FOUND';
      if (standing.isDeleted) return 'SUBSCRIPTION_DELETED';
      if (standing.status === 'CANCELLED') return 'CANCELLED';
      if (standing.status === 'PENDING' || standing.status === 'PAUSED') return 'OPEN';
      if (!standing.isActive) return 'SUBSCRIPTION_INACTIVE';
      await tx.execute(RESET, [deliveryId]);
      return 'DUE';
    });
  }

  /** The subscription first, as everywhere. */
  private async lock(tx: Tx, deliveryId: string): Promise<Standing | undefined> {
    await tx.query(
      `SELECT FROM webhook_subscriptions WHERE id =
         (SELECT subscription_id FROM webhook_deliveries WHERE id = $1) FOR NO KEY UPDATE`,
      [deliveryId],
    );
    const [standing] = await tx.query<Standing>(
      `SELECT d.status, s.is_active AS "isActive", s.deleted_at IS NOT NULL AS "isDeleted"
       FROM webhook_deliveries AS d JOIN webhook_subscriptions AS s ON s.id = d.subscription_id
       WHERE d.id = $1 FOR UPDATE OF d`,
      [deliveryId],
    );
    return standing;
  }
}

const LIST = `
  SELECT d.id, d.partner_id AS "partnerId", d.subscription_id AS "subscriptionId", s.url,
    e.name AS event, d.status, d.attempts, d.created_at AS "createdAt",
    CASE WHEN d.finished_at IS NULL THEN d.next_attempt_at END AS "nextAttemptAt",
    last.response_status AS "responseStatus", last.failure
  FROM webhook_deliveries AS d
  JOIN webhook_subscriptions AS s ON s.id = d.subscription_id
  JOIN webhook_events AS e ON e.id = d.event_id
  LEFT JOIN webhook_attempts AS last ON last.delivery_id = d.id AND last.attempt = d.attempts
  WHERE ($1::text IS NULL OR d.partner_id = $1) AND ($2::text IS NULL OR d.subscription_id = $2)
    AND ($3::text IS NULL OR d.status = $3) AND ($4::timestamptz IS NULL OR d.created_at >= $4)
  ORDER BY d.id DESC LIMIT $5
`;

// The token is raised, so that whatever an earlier holder may still report is void; and nobody may
// claim what a lease holds, should there be one.
const RESET = `
  UPDATE webhook_deliveries
  SET status = 'PENDING', finished_at = NULL, lease_token = lease_token + 1,
    next_attempt_at = greatest(app_now(), lease_until)
  WHERE id = $1
`;
