import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { DAYS_KEPT } from './delivery-upkeep.repository.js';
import { DAYS_BEFORE_INACTIVE, FAILURES_BEFORE_INACTIVE } from './attempts.repository.js';
import { WebhookAlert } from './webhook-alert.entity.js';
import type { WebhookEvent } from './webhook-event.entity.js';

/** An endpoint that fails again and again is told of once in this time. */
const HOURS_BETWEEN = 1;

const columns = new Columns(WebhookAlert);

export type NewAlert = Omit<WebhookAlert, 'createdAt'>;

/** A subscription that has gone inactive by itself, or whose breaker is open, and that nobody was told of. */
export interface EndpointInTrouble {
  readonly subscriptionId: string;
  readonly partnerId: string;
  readonly isActive: boolean;
  /** Inactive, or failing, since then. */
  readonly since: Date;
  readonly failureCount: number;
  /** Whether it failed for so long that it went inactive; otherwise, when it is inactive, it answered 410. */
  readonly hasFailedForLong: boolean;
}

export interface AlertEvent extends Pick<WebhookEvent, 'id' | 'body'> {
  /** Of the subscription that it tells of; null when it is deleted, or it tells of a key. */
  readonly url: string | null;
}

/** What partners have been told of their webhooks and keys. */
@Injectable()
export class AlertsRepository {
  constructor(private readonly database: Database) {}

  /** So many at most. */
  endpointsInTrouble(tx: Tx, most: number): Promise<EndpointInTrouble[]> {
    return tx.query(IN_TROUBLE, [most, HOURS_BETWEEN]);
  }

  /**
   * Notes what is to be told, unless it has been: a replica that notes the same at this moment is waited for.
   * @returns the ids of the events of those that nobody had noted
   */
  async note(tx: Tx, alerts: readonly NewAlert[]): Promise<string[]> {
    const records = JSON.stringify(alerts.map((alert) => columns.toRecord(alert)));
    const noted = await tx.query<{ id: string }>(NOTE, [records]);
    return noted.map(({ id }) => id);
  }

  /** The events of a partner's newest alerts, of a week at most, the newest first. */
  recent(partnerId: string, most: number): Promise<AlertEvent[]> {
    return this.database.query<AlertEvent & Record<string, unknown>>(RECENT, [partnerId, most]);
  }

  /** Forgets old alerts, but for those of what is still as it was; answers how many. */
  async forget(most: number): Promise<number> {
    return (await this.database.query(FORGET, [most, DAYS_KEPT])).length;
  }
}

// Which of the two a lane `l` is told of, and since when, to the millisecond as JavaScript has it.
const NAME = `
  CASE WHEN l.is_active THEN 'webhook.endpoint_failing' ELSE 'webhook.endpoint_disabled' END`;
const SINCE = `
  date_trunc('milliseconds', CASE WHEN l.is_active THEN l.failing_since ELSE l.inactive_since END)`;

// The breaker is open for half a minute at least before the first probe, so no pass of the task misses it.
const IN_TROUBLE = `
  SELECT l.subscription_id AS "subscriptionId", l.partner_id AS "partnerId",
    l.is_active AS "isActive", ${SINCE} AS since, l.failure_count AS "failureCount",
    coalesce(l.failure_count >= ${FAILURES_BEFORE_INACTIVE}
      AND l.failing_since <= l.inactive_since - interval '${DAYS_BEFORE_INACTIVE} days', false)
      AS "hasFailedForLong"
  FROM webhook_lanes l
  WHERE l.fails_journey_events AND (NOT l.is_active OR l.probe_at IS NOT NULL)
    AND NOT EXISTS (
      SELECT FROM webhook_alerts a
      WHERE a.partner_id = l.partner_id AND a.name = ${NAME} AND a.subject_id = l.subscription_id
        AND (a.since = ${SINCE}
          OR (l.is_active AND a.created_at > app_now() - $2 * interval '1 hour'))
    )
  ORDER BY l.subscription_id LIMIT $1
`;

const COLUMNS = columns.list(['partnerId', 'name', 'subjectId', 'since', 'eventId']);

// In the order of the key, in which everybody takes them.
const NOTE = `
  INSERT INTO webhook_alerts (${COLUMNS})
  SELECT ${COLUMNS} FROM jsonb_populate_recordset(NULL::webhook_alerts, $1)
  ORDER BY partner_id, name, subject_id, since
  ON CONFLICT DO NOTHING RETURNING event_id AS id
`;

const RECENT = `
  SELECT e.id, e.body, s.url
  FROM webhook_alerts a JOIN webhook_events e ON e.id = a.event_id
  LEFT JOIN webhook_subscriptions s ON s.id = a.subject_id AND s.deleted_at IS NULL
  WHERE a.partner_id = $1 AND a.created_at > app_now() - interval '7 days'
  ORDER BY a.created_at DESC, e.id DESC LIMIT $2
`;

const FORGET = `
  DELETE FROM webhook_alerts WHERE (partner_id, name, subject_id, since) IN (
    SELECT a.partner_id, a.name, a.subject_id, a.since FROM webhook_alerts a
    WHERE a.created_at < app_now() - $2 * interval '1 day' AND NOT EXISTS (
      SELECT FROM webhook_lanes l
      WHERE l.subscription_id = a.subject_id AND a.name = ${NAME} AND a.since = ${SINCE}
    )
    LIMIT $1
  )
  RETURNING event_id
`;
