import { Columns } from '../../platform/index.js';
import { WebhookLane, WebhookSubscription } from './webhook-subscription.entity.js';

/** Including the current one. */
const MAX_SECRETS = 10;

/**
 * Of a subscription `s`, replaced in the last 24 hours, newest first.
 * @param now an SQL expression
 */
export function previousSecrets(now: string): string {
  return `
    SELECT sealed, until
    FROM jsonb_to_recordset(s.previous_secrets) AS previous (sealed text, until timestamptz)
    WHERE until > ${now} ORDER BY until DESC`;
}

/** The replaced secrets that still sign for a subscription `s`. */
export function previousSecretsColumn(now: string): string {
  return `
    CASE WHEN s.previous_secrets = '[]' THEN '{}' ELSE
      ARRAY(SELECT sealed FROM (${previousSecrets(now)} LIMIT ${MAX_SECRETS - 1}) AS signing) END
      AS "previousSecretsSealed"`;
}

/**
 * CTEs with the earliest due first attempt and retry of each subscription. The index skip scan
 * costs per subscription, not per queued delivery.
 */
export const LANE_HEADS = `
  WITH RECURSIVE moment AS MATERIALIZED (SELECT app_now() AS now),
  ${skipScan('first', 'attempts = 0')},
  ${skipScan('retry', 'attempts > 0')}`;

function skipScan(name: string, kind: string): string {
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

const columns = new Columns(WebhookLane);
const subscriptionColumns = new Columns(WebhookSubscription);

/** Longer than an attempt and its record: only a dead process loses its lease. */
export const LEASE_SECONDS = 20;
/** Limit of concurrent deliveries per subscription. */
export const LANE_CAPACITY = 5;
/** Limit of concurrent posts per process, without partners' first lanes. */
export const SLOTS = 1_024;
/** Extra slots for partners without another post in progress. */
const FIRST_LANE_SLOTS = 1_024;
export const MAX_POSTS = SLOTS + FIRST_LANE_SLOTS + LANE_CAPACITY;
/** Reserved for lanes with first attempts. */
export const FIRST_ATTEMPT_SLOTS = Math.floor(SLOTS / 3);
/** Of a lane `l`: 1 before the first success, and after a failure until the next success. */
const CAPACITY = `
  CASE WHEN l.has_succeeded AND l.failure_count = 0 AND l.probe_at IS NULL
    THEN ${LANE_CAPACITY} ELSE 1 END`;

const IS_FREE = `
  l.is_active AND (l.probe_at IS NULL OR l.probe_at <= moment.now)
    AND (l.lease_until IS NULL OR l.lease_until <= moment.now OR l.lease_token = held.token)
    AND held.busy < ${CAPACITY}`;

/** What this process holds of a lane `l`. */
const HELD = `
  CROSS JOIN LATERAL (
    SELECT (entry ->> 0)::bigint AS token, coalesce((entry ->> 1)::int, 0) AS busy,
      coalesce(string_to_array(entry ->> 2, ' '), '{}') AS unrecorded
    FROM (SELECT $2::jsonb -> l.subscription_id AS entry) AS lookup
  ) AS held`;

/** Except this process's unrecorded deliveries. */
function due(kind: string, lane: string, max: string): string {
  return `
    SELECT delivery_id, event_id, attempts, next_attempt_at FROM webhook_queue
    WHERE ${kind} AND subscription_id = ${lane}.subscription_id AND next_attempt_at <= moment.now
      AND delivery_id <> ALL (${lane}.unrecorded)
    ORDER BY next_attempt_at, delivery_id LIMIT ${max}`;
}

// ranked: `share` is the partner's slots in use plus those up to this lane.
// placed: `total` is the slots up to this lane, partners with few slots first.
// picked: a partner always gets its first lane, and further ones up to three times the slots left
// free after them. So some slots always stay free. Rechecks the locked row, since another process
// may have claimed or released it meanwhile. NO KEY UPDATE does not block inserts that refer to the
// subscription.
// LATERAL (… OFFSET 0): see PLANS_BY_INDEX.
export const TAKE = `
  ${LANE_HEADS},
  due AS (
    SELECT subscription_id, bool_or(is_first) AS has_first
    FROM (
      SELECT *, true AS is_first FROM first UNION ALL SELECT *, false FROM retry
    ) AS both_kinds CROSS JOIN moment
    WHERE next_attempt_at <= moment.now GROUP BY subscription_id
  ),
  ready AS (
    SELECT l.subscription_id, l.partner_id, l.lease_token, l.last_served_at, due.has_first,
      ${CAPACITY} - held.busy AS free_slots
    FROM due
    CROSS JOIN moment
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_lanes WHERE subscription_id = due.subscription_id OFFSET 0
    ) AS l
    ${HELD}
    CROSS JOIN LATERAL (SELECT l.subscription_id, held.unrecorded) AS lane
    WHERE ${IS_FREE}
      AND (held.token IS NULL OR EXISTS (${due('attempts = 0', 'lane', '1')})
        OR EXISTS (${due('attempts > 0', 'lane', '1')}))
  ),
  ranked AS (
    SELECT ready.*, coalesce(($3::jsonb ->> partner_id)::int, 0) + sum(free_slots) OVER (
      PARTITION BY partner_id ORDER BY last_served_at NULLS FIRST, subscription_id) AS share
    FROM ready
  ),
  placed AS MATERIALIZED (
    SELECT ranked.*,
      sum(free_slots) OVER (ORDER BY share, last_served_at NULLS FIRST, subscription_id) AS total,
      count(*) OVER () AS ready_lanes
    FROM ranked
  ),
  picked AS MATERIALIZED (
    SELECT locked.*, allowed.ready_lanes
    FROM (
      SELECT * FROM placed
      WHERE (share = free_slots AND total <= $1 + ${FIRST_LANE_SLOTS})
        OR share <= 3 * ($1 - total - CASE WHEN has_first THEN 0 ELSE ${FIRST_ATTEMPT_SLOTS} END)
      ORDER BY total
    ) AS allowed
    CROSS JOIN LATERAL (
      SELECT l.subscription_id, coalesce(l.lease_token = held.token, false) AS is_held
      FROM webhook_lanes l
      CROSS JOIN moment
      ${HELD}
      WHERE l.subscription_id = allowed.subscription_id AND l.lease_token = allowed.lease_token
        AND ${IS_FREE}
      FOR NO KEY UPDATE OF l SKIP LOCKED
    ) AS locked
  )
  UPDATE webhook_lanes l
  SET lease_token = l.lease_token + CASE WHEN picked.is_held THEN 0 ELSE 1 END,
    lease_until = moment.now + interval '${LEASE_SECONDS} seconds', last_served_at = moment.now
  FROM moment, picked
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_subscriptions WHERE id = picked.subscription_id OFFSET 0
  ) AS s
  WHERE l.subscription_id = ANY (ARRAY[picked.subscription_id]) AND s.deleted_at IS NULL
  RETURNING ${columns.selected(['subscriptionId', 'partnerId', 'leaseToken'], 'l')},
    ${subscriptionColumns.selected(['url', 'secretSealed'], 's')}, ${previousSecretsColumn('moment.now')},
    ${CAPACITY} AS capacity, l.probe_at IS NOT NULL AS "isProbe",
    picked.ready_lanes::int AS "readyLanes"
`;

// Alternates first attempts and retries; by due time on lanes with one slot.
export const READ = `
  WITH moment AS MATERIALIZED (SELECT app_now() AS now)
  SELECT given.ordinal::int, due.delivery_id AS "deliveryId", due.attempts + 1 AS attempt,
    e.id AS "eventId", e.name AS "eventName", e.body,
    date_part('epoch', moment.now - due.next_attempt_at) AS "waitedSeconds",
    s.secret_sealed AS "secretSealed", ${previousSecretsColumn('moment.now')}
  FROM moment
  CROSS JOIN (
    SELECT subscription_id, token, string_to_array(ids, ' ') AS unrecorded, max_rows, ordinal
    FROM unnest($1::text[], $2::bigint[], $3::text[], $4::int[])
      WITH ORDINALITY AS lanes (subscription_id, token, ids, max_rows, ordinal)
  ) AS given
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_lanes
    WHERE subscription_id = given.subscription_id AND lease_token = given.token OFFSET 0
  ) AS l
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_subscriptions WHERE id = given.subscription_id OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT both_kinds.*, CASE WHEN given.max_rows > 1 THEN 2 * row_number() OVER (
          PARTITION BY attempts > 0 ORDER BY next_attempt_at, delivery_id) + least(attempts, 1)
        END AS send_rank
      FROM (
        (${due('attempts = 0', 'given', 'given.max_rows')})
        UNION ALL (${due('attempts > 0', 'given', 'given.max_rows')})
      ) AS both_kinds
    ) AS interleaved
    ORDER BY send_rank, next_attempt_at, delivery_id LIMIT given.max_rows
  ) AS due
  CROSS JOIN LATERAL (SELECT * FROM webhook_events WHERE id = due.event_id OFFSET 0) AS e
  WHERE l.is_active AND (l.probe_at IS NULL OR l.probe_at <= moment.now)
  ORDER BY given.ordinal, due.send_rank, due.next_attempt_at, due.delivery_id
`;

export const RENEW = `
  UPDATE webhook_lanes l SET lease_until = app_now() + $3 * interval '1 second'
  FROM webhook_subscriptions s
  WHERE l.subscription_id = $1 AND l.lease_token = $2 AND l.lease_until IS NOT NULL AND l.is_active
    AND s.id = $1
  RETURNING s.secret_sealed AS "secretSealed", ${previousSecretsColumn('app_now()')}
`;

// Locks in the same order as RECORD.
export const RELEASE = `
  WITH idle AS MATERIALIZED (
    SELECT l.subscription_id
    FROM (
      SELECT * FROM unnest($1::text[], $2::bigint[]) AS given (subscription_id, token)
      ORDER BY subscription_id
    ) AS given
    CROSS JOIN LATERAL (
      SELECT subscription_id FROM webhook_lanes
      WHERE subscription_id = given.subscription_id AND lease_token = given.token
      OFFSET 0 FOR NO KEY UPDATE
    ) AS l
  )
  UPDATE webhook_lanes l SET lease_until = NULL
  FROM idle WHERE l.subscription_id = ANY (ARRAY[idle.subscription_id])
`;
