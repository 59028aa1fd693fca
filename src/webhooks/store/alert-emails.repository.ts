import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { WebhookAlertEmail } from './webhook-alert.entity.js';

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
    const claimed = await this.database.query<DueAlertEmail & Record<string, unknown>>(CLAIM, [
      waitSeconds,
    ]);
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
