import { Columns } from '../../platform/index.js';
import { WebhookLane, WebhookSubscription } from './webhook-subscription.entity.js';

/** How many secrets sign a delivery at most: the current one and the newest that it replaced. */
const MOST_SECRETS = 10;

/**
 * The secrets of a subscription `s` that were replaced less than a day ago, newest first, as rows of `sealed` and
 * `until`.
 * @param now an SQL expression
 */
export function previousSecrets(now: string): string {
  return `
    SELECT sealed, until
    FROM jsonb_to_recordset(s.previous_secrets) AS previous (sealed text, until timestamptz)
    WHERE until > ${now} ORDER BY until DESC`;
}

/** Those that sign beside the current secret of a subscription `s`, as a column. */
export function previousSecretsColumn(now: string): string {
  return `
    CASE WHEN s.previous_secrets = '[]' THEN '{}' ELSE
      ARRAY(SELECT sealed FROM (${previousSecrets(now)} LIMIT ${MOST_SECRETS - 1}) AS signing) END
      AS "previousSecretsSealed"`;
}

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

const columns = new Columns(WebhookLane);
const subscriptionColumns = new Columns(WebhookSubscription);

/** Longer than an attempt and its record, so only a dead holder loses its lease. */
export const LEASE_SECONDS = 20;
/** How many deliveries a subscription's receiver is sent at once. */
export const LANE_CAPACITY = 5;
/** The most posts of a process at a time, first lanes of partners left out. */
export const SLOTS = 1_024;
/** Additional slots for partners that have no other post under way. */
const FIRST_LANE_SLOTS = 1_024;
/** The most posts of a process at a time. */
export const MAX_POSTS = SLOTS + FIRST_LANE_SLOTS + LANE_CAPACITY;
/** Retries leave these to lanes with first attempts. */
export const FIRST_ATTEMPT_SLOTS = Math.floor(SLOTS / 3);
/** Of a lane `l`: 1 before its first success, and after a failure until the next success. */
const CAPACITY = `
  CASE WHEN l.has_succeeded AND l.failure_count = 0 AND l.probe_at IS NULL
    THEN ${LANE_CAPACITY} ELSE 1 END`;

/** Whether a lane `l` may be claimed. */
const IS_FREE = `
  l.is_active AND (l.probe_at IS NULL OR l.probe_at <= moment.now)
    AND (l.lease_until IS NULL OR l.lease_until <= moment.now OR l.lease_token = held.token)
    AND held.busy < ${CAPACITY}`;

/** What this process holds of a lane `l`. */
const HELD = `
  CROSS JOIN LATERAL (
    SELECT (ours ->> 0)::bigint AS token, coalesce((ours ->> 1)::int, 0) AS busy,
      coalesce(string_to_array(ours ->> 2, ' '), '{}') AS unrecorded
    FROM (SELECT $2::jsonb -> l.subscription_id AS ours) AS looked_up
  ) AS held`;

/** Due deliveries of one kind on a lane, without those that this process has under way. */
function due(kind: string, lane: string, most: string): string {
  return `
    SELECT delivery_id, event_id, attempts, next_attempt_at FROM webhook_queue
    WHERE ${kind} AND subscription_id = ${lane}.subscription_id AND next_attempt_at <= moment.now
      AND delivery_id <> ALL (${lane}.unrecorded)
    ORDER BY next_attempt_at, delivery_id LIMIT ${most}`;
}

// ready: the lanes that may be claimed; room: the slots that each may use.
// ranked: share: the slots of its partner up to this lane, with those that it has already.
// placed: total: the slots of all lanes up to this one, those of partners with few slots first.
// picked: a partner gets up to three times the slots that are still free, so that some always are,
//   and its first lane in any case. The locked row is checked again: another process may have
//   claimed, or even released it, since this statement began. NO KEY UPDATE does not block inserts
//   that refer to the subscription.
// Each look-up by key is LATERAL (… OFFSET 0): see PLANS_BY_INDEX.
export const TAKE = `
  ${LANE_HEADS},
  due AS (
    SELECT subscription_id, bool_or(is_first) AS has_first
    FROM (
      SELECT *, true AS is_first FROM first UNION ALL SELECT *, false FROM again
    ) AS both_kinds CROSS JOIN moment
    WHERE next_attempt_at <= moment.now GROUP BY subscription_id
  ),
  ready AS (
    SELECT l.subscription_id, l.partner_id, l.lease_token, l.last_served_at, due.has_first,
      ${CAPACITY} - held.busy AS room
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
    SELECT ready.*, coalesce(($3::jsonb ->> partner_id)::int, 0) + sum(room) OVER (
      PARTITION BY partner_id ORDER BY last_served_at NULLS FIRST, subscription_id) AS share
    FROM ready
  ),
  placed AS MATERIALIZED (
    SELECT ranked.*,
      sum(room) OVER (ORDER BY share, last_served_at NULLS FIRST, subscription_id) AS total,
      count(*) OVER () AS ready_lanes
    FROM ranked
  ),
  picked AS MATERIALIZED (
    SELECT locked.*, allowed.ready_lanes
    FROM (
      SELECT * FROM placed
      WHERE (share = room AND total <= $1 + ${FIRST_LANE_SLOTS})
        OR share <= 3 * ($1 - total - CASE WHEN has_first THEN 0 ELSE ${FIRST_ATTEMPT_SLOTS} END)
      ORDER BY total
    ) AS allowed
    CROSS JOIN LATERAL (
      SELECT l.subscription_id, coalesce(l.lease_token = held.token, false) AS is_ours
      FROM webhook_lanes l
      CROSS JOIN moment
      ${HELD}
      WHERE l.subscription_id = allowed.subscription_id AND l.lease_token = allowed.lease_token
        AND ${IS_FREE}
      FOR NO KEY UPDATE OF l SKIP LOCKED
    ) AS locked
  )
  UPDATE webhook_lanes l
  SET lease_token = l.lease_token + CASE WHEN picked.is_ours THEN 0 ELSE 1 END,
    lease_until = moment.now + interval '${LEASE_SECONDS} seconds', last_served_at = moment.now
  FROM moment, picked
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_subscriptions WHERE id = picked.subscription_id OFFSET 0
  ) AS s
  WHERE l.subscription_id = ANY (ARRAY[picked.subscription_id]) AND s.deleted_at IS NULL
  RETURNING ${columns.selected('l', ['subscriptionId', 'partnerId', 'leaseToken'])},
    ${subscriptionColumns.selected('s', ['url', 'secretSealed'])}, ${previousSecretsColumn('moment.now')},
    ${CAPACITY} AS capacity, l.probe_at IS NOT NULL AS "isProbe",
    picked.ready_lanes::int AS "readyLanes"
`;

// On each lane first attempts and retries in turns, or in one order where one is sent at a time.
export const READ = `
  WITH moment AS MATERIALIZED (SELECT app_now() AS now)
  SELECT given.ordinal::int, due.delivery_id AS "deliveryId", due.attempts + 1 AS attempt,
    e.id AS "eventId", e.name AS "eventName", e.body,
    date_part('epoch', moment.now - due.next_attempt_at) AS "waitedSeconds",
    s.secret_sealed AS "secretSealed", ${previousSecretsColumn('moment.now')}
  FROM moment
  CROSS JOIN (
    SELECT subscription_id, token, string_to_array(ids, ' ') AS unrecorded, most, ordinal
    FROM unnest($1::text[], $2::bigint[], $3::text[], $4::int[])
      WITH ORDINALITY AS lanes (subscription_id, token, ids, most, ordinal)
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
      SELECT both_kinds.*, CASE WHEN given.most > 1 THEN 2 * row_number() OVER (
          PARTITION BY attempts > 0 ORDER BY next_attempt_at, delivery_id) + least(attempts, 1)
        END AS turn
      FROM (
        (${due('attempts = 0', 'given', 'given.most')})
        UNION ALL (${due('attempts > 0', 'given', 'given.most')})
      ) AS both_kinds
    ) AS in_turns
    ORDER BY turn, next_attempt_at, delivery_id LIMIT given.most
  ) AS due
  CROSS JOIN LATERAL (SELECT * FROM webhook_events WHERE id = due.event_id OFFSET 0) AS e
  WHERE l.is_active AND (l.probe_at IS NULL OR l.probe_at <= moment.now)
  ORDER BY given.ordinal, due.turn, due.next_attempt_at, due.delivery_id
`;

export const RENEW = `
  UPDATE webhook_lanes l SET lease_until = app_now() + $3 * interval '1 second'
  FROM webhook_subscriptions s
  WHERE l.subscription_id = $1 AND l.lease_token = $2 AND l.lease_until IS NOT NULL AND l.is_active
    AND s.id = $1
  RETURNING s.secret_sealed AS "secretSealed", ${previousSecretsColumn('app_now()')}
`;

// Locked in the order in which the record of a batch locks them.
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
