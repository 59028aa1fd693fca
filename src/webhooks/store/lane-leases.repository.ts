import { Injectable } from '@nestjs/common';
import { Columns, type DueQuery } from '../../platform/index.js';
import type { LaneClass, LaneLease, LaneSecrets } from '../sender/claimed-delivery.js';
import type { HeldTokens } from '../sender/held-lanes.js';
import { LANE_HEADS } from './lane-heads.js';
import { previousSecretsColumn } from './previous-secrets.js';
import { SenderDatabase } from './sender-database.js';
import type { SlotsOfPartners } from '../sender/slot-shares.js';
import { WebhookLane } from './webhook-lane.entity.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

const columns = new Columns(WebhookLane);
const subscriptionColumns = new Columns(WebhookSubscription);

/** Longer than an attempt with all that belongs to it, so that only a dead holder loses it. */
export const LEASE_SECONDS = 20;
/** How many deliveries a subscription's receiver is sent at once. */
export const LANE_CAPACITY = 5;

/** An average answer within this is prompt. */
const PROMPT_MS = 1_000;

/** What a sender looks for. */
export interface LaneRequest {
  readonly lanes: number;
  /** Whether there is room for retries on prompt lanes, too. */
  readonly withRetries: boolean;
  /** How many slots of each class are free. */
  readonly free: Readonly<Record<LaneClass, number>>;
  readonly slots: SlotsOfPartners;
  readonly held: HeldTokens;
}

/** A lane that was taken, and how many of its class there were to be had. */
export interface TakenLane extends LaneLease {
  readonly ready: number;
}

/** Leases lanes to senders, each lane to one sender at a time, whichever replica it is on. */
@Injectable()
export class LaneLeasesRepository {
  /** Whether anything is still to be delivered, and with it perhaps something for `take`. */
  static readonly WAITING: DueQuery = () => `
    SELECT coalesce((${anyWaiting('attempts = 0')}), (${anyWaiting('attempts > 0')}))`;

  constructor(private readonly database: SenderDatabase) {}

  /**
   * Takes lanes on which something is due: such as nobody holds, and such as this sender holds already
   * and that have room for more. Of each class no more than the free slots allow, the partners with the
   * fewest slots first, and of a partner the lanes that were least recently served. One that somebody else is
   * just taking is passed over. What is due must be read by a later statement: only that one is sure
   * to see what the lane's last holder has recorded.
   */
  take({ lanes, withRetries, held, free, slots }: LaneRequest): Promise<TakenLane[]> {
    return this.database.prepared<TakenLane & Record<string, unknown>>('webhook-lanes-take', TAKE, [
      lanes,
      withRetries,
      JSON.stringify(held),
      LANE_CAPACITY,
      LEASE_SECONDS,
      JSON.stringify(free),
      JSON.stringify(slots),
    ]);
  }

  /** Starts the lease of a lane again and returns its secrets; null when it is not ours or may not be sent on. */
  async renew({ subscriptionId, leaseToken }: LaneLease): Promise<LaneSecrets | null> {
    const values = [subscriptionId, leaseToken, LEASE_SECONDS];
    const [secrets] = await this.database.prepared<LaneSecrets & Record<string, unknown>>(
      'webhook-lane-renew',
      RENEW,
      values,
    );
    return secrets ?? null;
  }

  /** Gives lanes back before their leases end, unless somebody has taken them over. */
  async release(ids: readonly string[], tokens: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.prepared('webhook-lanes-release', RELEASE, [ids, tokens]);
  }
}

function anyWaiting(kind: string): string {
  return `
    SELECT true FROM webhook_queue WHERE ${kind} ORDER BY subscription_id, next_attempt_at LIMIT 1`;
}

/** The class of a lane `l`. */
const LANE_CLASS = `
  CASE WHEN l.failure_count > 0 OR l.answer_ms > ${PROMPT_MS} THEN 'SLOW'
    WHEN l.answer_ms IS NULL THEN 'UNTRIED' ELSE 'PROMPT' END`;

/**
 * How many deliveries may be in flight on a lane `l`: one that has not succeeded, or not since it
 * failed, is tried with one at a time.
 * @param most on any other
 */
function laneCapacity(most: string): string {
  return `
    CASE WHEN l.failure_count > 0 OR l.answer_ms IS NULL OR l.probe_at IS NOT NULL THEN 1
      ELSE ${most} END`;
}

/** Whether a lane `l` may be given deliveries, of which `held` says how far it is ours. */
const IS_FREE = `
  l.is_active AND (l.probe_at IS NULL OR l.probe_at <= moment.now)
    AND (l.lease_until IS NULL OR l.lease_until <= moment.now OR l.lease_token = held.token)
    AND coalesce(held.busy, 0) < ${laneCapacity('$4::int')}`;

const HELD = `
  CROSS JOIN LATERAL (
    SELECT (ours ->> 0)::bigint AS token, (ours ->> 1)::int AS busy
    FROM (SELECT $3::jsonb -> l.subscription_id AS ours) AS looked_up
  ) AS held`;

// What is held is looked up by its key: a join of two lists without an index takes as many steps as
// their product. So would one of what is due with the lanes, the wrong way round, which is how it is
// planned while there are few: each lane is looked up in a LATERAL that cannot be turned. `turn` counts
// the lanes of a partner in a class, `rank` the slots that the partner would then have: of each class
// those with the lowest come first, and each partner's first whatever is free. Three quarters of what is
// free are given at most, so that a partner alone ends with its share of `SlotShares`. NO KEY UPDATE:
// what refers to a lane's subscription need not wait. The row that is locked is judged again as it is
// then, so of two senders one gets the lane.
const TAKE = `
  ${LANE_HEADS},
  due AS (
    SELECT subscription_id, min(next_attempt_at) AS due_at,
      min(next_attempt_at) FILTER (WHERE is_first) AS first_due_at
    FROM (
      SELECT *, true AS is_first FROM first UNION ALL SELECT *, false FROM again
    ) AS both_kinds GROUP BY subscription_id
  ),
  ready AS (
    SELECT l.subscription_id, l.partner_id, l.last_served_at, ${LANE_CLASS} AS class
    FROM due
    CROSS JOIN moment
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_lanes WHERE subscription_id = due.subscription_id OFFSET 0
    ) AS l
    ${HELD}
    WHERE ${IS_FREE}
      AND CASE WHEN $2 OR ${LANE_CLASS} <> 'PROMPT' THEN due.due_at ELSE due.first_due_at END
        <= moment.now
  ),
  ranked AS (
    SELECT counted.*, counted.turn + counted.used AS rank,
      count(*) OVER (PARTITION BY class) AS ready
    FROM (
      SELECT ready.*, ($6::jsonb ->> class)::int AS free,
        coalesce(($7::jsonb -> partner_id ->> class)::int, 0) AS used,
        row_number() OVER (PARTITION BY class, partner_id
          ORDER BY last_served_at NULLS FIRST, subscription_id) AS turn
      FROM ready
    ) AS counted
  ),
  placed AS MATERIALIZED (
    SELECT ranked.*, row_number() OVER (PARTITION BY class
      ORDER BY rank, last_served_at NULLS FIRST, subscription_id) AS position
    FROM ranked WHERE rank = 1 OR 4 * turn <= 3 * free - used
  ),
  picked AS (
    SELECT locked.subscription_id, ordered.class, ordered.ready, locked.is_ours
    FROM (
      SELECT * FROM placed WHERE rank = 1 OR 4 * position <= 3 * free
      ORDER BY rank, last_served_at NULLS FIRST, subscription_id
    ) AS ordered
    CROSS JOIN LATERAL (
      SELECT l.subscription_id, coalesce(l.lease_token = held.token, false) AS is_ours
      FROM webhook_lanes l
      CROSS JOIN moment
      ${HELD}
      WHERE l.subscription_id = ordered.subscription_id AND ${IS_FREE}
      FOR NO KEY UPDATE OF l SKIP LOCKED
    ) AS locked
    LIMIT $1
  )
  UPDATE webhook_lanes l
  SET lease_token = l.lease_token + CASE WHEN picked.is_ours THEN 0 ELSE 1 END,
    lease_until = moment.now + $5 * interval '1 second', last_served_at = moment.now
  FROM moment, picked
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_subscriptions WHERE id = picked.subscription_id OFFSET 0
  ) AS s
  WHERE l.subscription_id = ANY (ARRAY[picked.subscription_id]) AND s.deleted_at IS NULL
  RETURNING ${columns.selected('l', ['subscriptionId', 'partnerId', 'leaseToken'])},
    picked.class AS "laneClass", picked.ready::int,
    ${subscriptionColumns.selected('s', ['url', 'secretSealed'])},
    ${previousSecretsColumn('moment.now')},
    ${laneCapacity('$4::int')} AS capacity,
    l.probe_at IS NOT NULL AS "isProbe"
`;

const RENEW = `
  UPDATE webhook_lanes l SET lease_until = app_now() + $3 * interval '1 second'
  FROM webhook_subscriptions s
  WHERE l.subscription_id = $1 AND l.lease_token = $2 AND l.lease_until IS NOT NULL AND l.is_active
    AND s.id = $1
  RETURNING s.secret_sealed AS "secretSealed", ${previousSecretsColumn('app_now()')}
`;

const RELEASE = `
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
