import { Injectable } from '@nestjs/common';
import { Database } from '../platform/index.js';
import { subscriptionsWithOpenDeliveries } from './subscriptions-with-open-deliveries.js';

const DAYS_KEPT = 30;

/**
 * What keeps the deliveries in order over time. Every statement takes a chunk of rows, passes over
 * those that somebody else holds, and answers how many it changed.
 */
@Injectable()
export class DeliveryUpkeep {
  constructor(private readonly database: Database) {}

  /** How long the delivery that has been due for longest has waited, in seconds; 0 when none has. */
  async oldestDueSeconds(): Promise<number> {
    const [row] = await this.database.query<{ seconds: number }>(OLDEST_DUE);
    return row?.seconds ?? 0;
  }

  /**
   * Gives open deliveries the status that their subscription's state asks for. An event that was
   * written at the very moment when its subscription was deleted, paused or enabled did not see
   * that; it is put right here.
   */
  async reconcile(most: number): Promise<number> {
    const pending = await this.database.query(RECONCILE_PENDING, [most]);
    const paused = await this.database.query(RECONCILE_PAUSED, [most]);
    return pending.length + paused.length;
  }

  /** Gives up on deliveries that have waited for an inactive subscription for too long. */
  async cancelLongPaused(most: number): Promise<number> {
    return (await this.database.query(CANCEL_LONG_PAUSED, [most, DAYS_KEPT])).length;
  }

  /** Removes deliveries that were finished long ago, with their attempts. */
  async removeFinished(most: number): Promise<number> {
    return (await this.database.query(REMOVE_FINISHED, [most, DAYS_KEPT])).length;
  }

  /** Removes old events that no delivery refers to any more. */
  async removeEvents(most: number): Promise<number> {
    return (await this.database.query(REMOVE_EVENTS, [most, DAYS_KEPT])).length;
  }
}

const OLDEST_DUE = `
  ${subscriptionsWithOpenDeliveries('PENDING')}
  SELECT greatest(0, extract(epoch FROM app_now() - min(first.next_attempt_at)))::float8 AS seconds
  FROM busy
  JOIN webhook_subscriptions s ON s.id = busy.subscription_id
  CROSS JOIN LATERAL (
    SELECT d.next_attempt_at FROM webhook_deliveries d
    WHERE d.subscription_id = busy.subscription_id AND d.status = 'PENDING'
    ORDER BY d.next_attempt_at LIMIT 1
  ) AS first
  WHERE s.is_active AND s.deleted_at IS NULL
`;

const RECONCILE_PENDING = reconcileSql('PENDING', 's.deleted_at IS NOT NULL OR NOT s.is_active');
const RECONCILE_PAUSED = reconcileSql('PAUSED', 's.deleted_at IS NOT NULL OR s.is_active');

function reconcileSql(status: 'PENDING' | 'PAUSED', isAstray: string): string {
  return `
    ${subscriptionsWithOpenDeliveries(status)},
    astray AS (
      SELECT d.id,
        CASE WHEN s.deleted_at IS NOT NULL THEN 'CANCELLED'
          WHEN s.is_active THEN 'PENDING' ELSE 'PAUSED' END AS status
      FROM busy
      JOIN webhook_subscriptions s ON s.id = busy.subscription_id
      JOIN webhook_deliveries d ON d.subscription_id = s.id AND d.status = '${status}'
      WHERE ${isAstray}
      LIMIT $1
      FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE webhook_deliveries d
    SET status = astray.status,
      finished_at = CASE WHEN astray.status = 'CANCELLED' THEN app_now() END,
      lease_until = CASE WHEN astray.status = 'CANCELLED' THEN NULL ELSE d.lease_until END
    FROM astray WHERE d.id = astray.id
    RETURNING d.id`;
}

const CANCEL_LONG_PAUSED = `
  UPDATE webhook_deliveries SET status = 'CANCELLED', finished_at = app_now(), lease_until = NULL
  WHERE id = ANY (ARRAY(
    SELECT id FROM webhook_deliveries
    WHERE status = 'PAUSED' AND created_at < app_now() - $2 * interval '1 day'
    LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING id
`;

const REMOVE_FINISHED = `
  WITH old AS (
    SELECT id FROM webhook_deliveries
    WHERE finished_at < app_now() - $2 * interval '1 day'
    ORDER BY finished_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ),
  attempts AS (DELETE FROM webhook_attempts a USING old WHERE a.delivery_id = old.id)
  DELETE FROM webhook_deliveries d USING old WHERE d.id = old.id
  RETURNING d.id
`;

const REMOVE_EVENTS = `
  DELETE FROM webhook_events WHERE id = ANY (ARRAY(
    SELECT e.id FROM webhook_events e
    WHERE e.created_at < app_now() - $2 * interval '1 day'
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id)
    ORDER BY e.created_at LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING id
`;
