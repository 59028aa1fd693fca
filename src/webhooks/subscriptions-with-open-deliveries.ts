/**
 * A recursive CTE named `busy` (`subscription_id`): the subscriptions that have deliveries of this
 * status. It leaps from one subscription to the next within the status's own index, so its cost
 * grows with the subscriptions in it and not with what has piled up behind a dead one.
 */
export function subscriptionsWithOpenDeliveries(status: 'PENDING' | 'PAUSED'): string {
  return `
    WITH RECURSIVE leap AS (
      (SELECT subscription_id FROM webhook_deliveries WHERE status = '${status}'
       ORDER BY subscription_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.subscription_id FROM webhook_deliveries d
              WHERE d.status = '${status}' AND d.subscription_id > leap.subscription_id
              ORDER BY d.subscription_id LIMIT 1)
      FROM leap WHERE leap.subscription_id IS NOT NULL
    ),
    busy AS (SELECT subscription_id FROM leap WHERE subscription_id IS NOT NULL)`;
}
