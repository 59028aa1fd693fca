import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { WebhookAlertEmail } from './webhook-alert.entity.js';

/** An alert that one process is to e-mail now. */
export interface DueAlertEmail {
  readonly eventId: string;
  readonly partnerId: string;
  /** Of the event; null when that was removed for its age. */
  readonly body: string | null;
  /** The one that begins now, from 1. */
  readonly attempt: number;
}

/** Alerts on their way to partners by e-mail. */
@Injectable()
export class AlertEmailsRepository {
  constructor(private readonly database: Database) {}

  async put(
    tx: Tx,
    emails: readonly Pick<WebhookAlertEmail, 'eventId' | 'partnerId'>[],
  ): Promise<void> {
    if (emails.length > 0) await tx.repository(WebhookAlertEmail).insert([...emails]);
  }

  /**
   * Takes one that is due, and puts its next try off at once.
   * @param waits seconds to the try after the first, the second and so on; the last one holds for all that follow
   */
  async take(waits: readonly number[]): Promise<DueAlertEmail | null> {
    const taken = await this.database.query<DueAlertEmail & Record<string, unknown>>(TAKE, [waits]);
    return taken[0] ?? null;
  }

  async remove(eventId: string): Promise<void> {
    await this.database.query(REMOVE, [eventId]);
  }
}

const TAKE = `
  WITH due AS (
    SELECT event_id FROM webhook_alert_emails WHERE next_attempt_at <= app_now()
    ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
  ),
  taken AS (
    UPDATE webhook_alert_emails m SET attempts = m.attempts + 1,
      next_attempt_at = app_now()
        + ($1::int[])[least(m.attempts + 1, cardinality($1::int[]))] * interval '1 second'
    FROM due WHERE m.event_id = due.event_id
    RETURNING m.event_id, m.partner_id, m.attempts
  )
  SELECT t.event_id AS "eventId", t.partner_id AS "partnerId", e.body, t.attempts AS attempt
  FROM taken t LEFT JOIN webhook_events e ON e.id = t.event_id
`;

const REMOVE = 'DELETE FROM webhook_alert_emails WHERE event_id = $1';
