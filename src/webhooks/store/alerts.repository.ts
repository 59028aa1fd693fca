import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { DAYS_BEFORE_INACTIVE, FAILURES_BEFORE_INACTIVE } from './attempts.repository.js';
import { DAYS_KEPT } from './delivery-upkeep.repository.js';
import { WebhookAlert, WebhookAlertEmail } from './webhook-alert.entity.js';
import type { WebhookEvent } from './webhook-event.entity.js';

/** The least time between two alerts on one failing endpoint. */
const HOURS_BETWEEN = 1;

const columns = new Columns(WebhookAlert);

type NewAlert = Omit<WebhookAlert, 'createdAt'>;

/** Inactive, or with an open breaker, and not alerted yet. */
export interface EndpointToAlert {
  readonly subscriptionId: string;
  readonly partnerId: string;
  readonly isActive: boolean;
  /** Since when it is inactive or failing. */
  readonly since: Date;
  readonly failureCount: number;
  /** Whether long failure made it inactive; otherwise it answered 410. */
  readonly hasFailedForLong: boolean;
}

export interface AlertEvent extends Pick<WebhookEvent, 'id' | 'body'> {
  /** Null for a deleted subscription or a key. */
  readonly url: string | null;
}

@Injectable()
export class AlertsRepository {
  constructor(private readonly database: Database) {}

  endpointsToAlert(tx: Tx, max: number): Promise<EndpointToAlert[]> {
    return tx.query(TO_ALERT, [max, HOURS_BETWEEN]);
  }

  /**
   * Waits for a replica that inserts the same alert.
   * @returns the event ids of the alerts that were new
   */
  async insertNew(tx: Tx, alerts: readonly NewAlert[]): Promise<string[]> {
    const records = JSON.stringify(alerts.map((alert) => columns.toRecord(alert)));
    const inserted = await tx.query<{ id: string }>(INSERT_NEW, [records]);
    return inserted.map(({ id }) => id);
  }

  /** A partner's alerts of the last 7 days, newest first. */
  recent(partnerId: string, max: number): Promise<AlertEvent[]> {
    return this.database.query(RECENT, [partnerId, max]);
  }

  /**
   * Deletes old alerts whose condition has ended.
   * @returns how many
   */
  async deleteOld(max: number): Promise<number> {
    return (await this.database.query(DELETE_OLD, [max, DAYS_KEPT])).length;
  }
}

// For a lane `l`; in milliseconds, as JavaScript dates.
const NAME = `
  CASE WHEN l.is_active THEN 'webhook.endpoint_failing' ELSE 'webhook.endpoint_disabled' END`;
const SINCE = `
  date_trunc('milliseconds', CASE WHEN l.is_active THEN l.failing_since ELSE l.inactive_since END)`;

// The breaker stays open for at least 30 seconds, so no run of the task misses it.
const TO_ALERT = `
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

// Sorted by key, so that replicas lock in one order.
const INSERT_NEW = `
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

const DELETE_OLD = `
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

export interface DueAlertEmail {
  readonly eventId: string;
  readonly partnerId: string;
  /** Null if the event was deleted for its age. */
  readonly body: string | null;
  /** From 1. */
  readonly attempt: number;
}

@Injectable()
export class AlertEmailsRepository {
  constructor(private readonly database: Database) {}

  async enqueue(
    tx: Tx,
    emails: readonly Pick<WebhookAlertEmail, 'eventId' | 'partnerId'>[],
  ): Promise<void> {
    if (emails.length > 0) await tx.repository(WebhookAlertEmail).insert([...emails]);
  }

  /**
   * Claims a due e-mail and schedules its next attempt first.
   * @param waitSeconds after each attempt; the last one repeats
   */
  async claim(waitSeconds: readonly number[]): Promise<DueAlertEmail | null> {
    const claimed = await this.database.query<DueAlertEmail>(CLAIM, [waitSeconds]);
    return claimed[0] ?? null;
  }

  async remove(eventId: string): Promise<void> {
    await this.database.query(REMOVE, [eventId]);
  }
}

const CLAIM = `
  WITH due AS (
    SELECT event_id FROM webhook_alert_emails WHERE next_attempt_at <= app_now()
    ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
  ),
  claimed AS (
    UPDATE webhook_alert_emails m SET attempts = m.attempts + 1,
      next_attempt_at = app_now()
        + ($1::int[])[least(m.attempts + 1, cardinality($1::int[]))] * interval '1 second'
    FROM due WHERE m.event_id = due.event_id
    RETURNING m.event_id, m.partner_id, m.attempts
  )
  SELECT t.event_id AS "eventId", t.partner_id AS "partnerId", e.body, t.attempts AS attempt
  FROM claimed t LEFT JOIN webhook_events e ON e.id = t.event_id
`;

const REMOVE = 'DELETE FROM webhook_alert_emails WHERE event_id = $1';
