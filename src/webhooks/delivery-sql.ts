/**
 * The status that is shown of a delivery `d` whose lane, if there is one, is `l`. Without a lane the
 * subscription is deleted, and what waited for it is cancelled before its row says so.
 */
export const SHOWN_STATUS = `
  CASE WHEN d.status <> 'PENDING' OR l.is_active THEN d.status
    WHEN l.subscription_id IS NULL THEN 'CANCELLED' ELSE 'PAUSED' END`;

/**
 * A statement that opens finished deliveries again and makes them due; their attempts count on. It
 * answers their ids; one that was open already is left as it is.
 * @param picked which ones, as a condition on their `id`
 */
export function queueAgain(picked: string): string {
  return `
    WITH opened AS (
      UPDATE webhook_deliveries SET status = 'PENDING', finished_at = NULL
      WHERE ${picked} AND finished_at IS NOT NULL
      RETURNING id, partner_id, subscription_id, event_id, attempts
    )
    INSERT INTO webhook_queue
      (delivery_id, partner_id, subscription_id, event_id, attempts, next_attempt_at)
    SELECT id, partner_id, subscription_id, event_id, attempts, app_now() FROM opened
    RETURNING delivery_id AS id`;
}
