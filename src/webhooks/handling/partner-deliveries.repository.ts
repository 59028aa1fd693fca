import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import { SHOWN_STATUS } from '../delivery-sql.js';
import type { DeliveryStatus } from '../webhook-delivery.entity.js';
import type { DeliveriesPageWish } from './deliveries-query.js';

/** An attempt as it stands in the log. */
export interface AttemptRow {
  readonly attempt: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly responseExcerpt: string | null;
  readonly failure: string | null;
}

export interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly event: string;
  readonly journeyId: string;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly AttemptRow[];
}

/** A partner's deliveries to one of its subscriptions. */
@Injectable()
export class PartnerDeliveries {
  constructor(private readonly database: Database) {}

  /** The newest first, with their attempts; one more than the page holds when there is one. */
  list(
    partnerId: string,
    subscriptionId: string,
    { status, before, limit }: DeliveriesPageWish,
  ): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow & Record<string, unknown>>(LIST, [
      partnerId,
      subscriptionId,
      status,
      before,
      limit + 1,
    ]);
  }
}

// Ids rise with time, so they are the order, and the index by subscription holds it.
const LIST = `
  SELECT page.*, e.name AS event, e.journey_id AS "journeyId",
    coalesce((
      SELECT json_agg(json_build_object('attempt', a.attempt, 'startedAt', a.started_at,
        'durationMs', a.duration_ms, 'responseStatus', a.response_status,
        'responseExcerpt', a.response_excerpt, 'failure', a.failure) ORDER BY a.attempt)
      FROM webhook_attempts a WHERE a.delivery_id = page.id
    ), '[]') AS attempts
  FROM (
    SELECT d.id, d.event_id AS "eventId", ${SHOWN_STATUS} AS status, d.created_at AS "createdAt",
      q.next_attempt_at AS "nextAttemptAt"
    FROM webhook_deliveries d
    LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id
    LEFT JOIN webhook_queue q ON q.delivery_id = d.id
    WHERE d.partner_id = $1 AND d.subscription_id = $2
      AND ($3::text IS NULL OR ${SHOWN_STATUS} = $3) AND ($4::text IS NULL OR d.id < $4)
    ORDER BY d.id DESC LIMIT $5
  ) AS page
  JOIN webhook_events e ON e.id = page."eventId"
  ORDER BY page.id DESC
`;
