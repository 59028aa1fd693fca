/**
 * The start of a statement: CTEs named `moment` (`now`), `first` and `again` (`subscription_id`,
 * `next_attempt_at`): of each subscription that has open deliveries when the earliest is due, first
 * attempts and retries apart. It leaps from one subscription to the next within the index, so its
 * cost grows with the subscriptions and not with what has piled up behind a dead one.
 */
export const LANE_HEADS = `
  WITH RECURSIVE moment AS MATERIALIZED (SELECT app_now() AS now),
  ${leap('first', 'attempts = 0')},
  ${leap('again', 'attempts > 0')}`;

function leap(name: string, kind: string): string {
  const next = (condition: string) => `
      SELECT subscription_id, next_attempt_at FROM webhook_queue
      WHERE ${kind} ${condition}
      ORDER BY subscription_id, next_attempt_at LIMIT 1`;
  return `${name} AS (
    (${next('')})
    UNION ALL
    SELECT next.* FROM ${name} CROSS JOIN LATERAL (
      ${next(`AND subscription_id > ${name}.subscription_id`)}
    ) AS next
  )`;
}
