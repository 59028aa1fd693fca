import { Injectable } from '@nestjs/common';
import type { LaneLease } from './claimed-delivery.js';
import type { HeldTokens } from './held-lanes.js';
import { LANE_HEADS } from './lane-heads.js';
import { SenderDatabase } from './sender-database.js';

/** Longer than an attempt with all that belongs to it, so that only a dead holder loses it. */
export const LEASE_SECONDS = 20;
/** How many deliveries a subscription's receiver is sent at once. */
export const LANE_CAPACITY = 5;

/** What a sender looks for. */
export interface LaneWish {
  readonly lanes: number;
  /** Whether there is room for retries, too. */
  readonly withRetries: boolean;
  readonly held: HeldTokens;
}

/** Leases lanes to senders, each lane to one sender at a time, whichever replica it is on. */
@Injectable()
export class LaneLeases {
  constructor(private readonly database: SenderDatabase) {}

  /**
   * Takes lanes on which something is due, the least recently served first: such as nobody holds,
   * and such as this sender holds already and that have room for more. One that somebody else is
   * just taking is passed over. What is due must be read by a later statement: only that one is sure
   * to see what the lane's last holder has recorded.
   */
  take({ lanes, withRetries, held }: LaneWish): Promise<LaneLease[]> {
    return this.database.prepared<LaneLease & Record<string, unknown>>('webhook-lanes-take', TAKE, [
      lanes,
      withRetries,
      JSON.stringify(held),
      LANE_CAPACITY,
      LEASE_SECONDS,
    ]);
  }

  /** Whether a lane is still ours and may be sent on; its lease then runs anew. */
  async renew({ subscriptionId, leaseToken }: LaneLease): Promise<boolean> {
    const values = [subscriptionId, leaseToken, LEASE_SECONDS];
    return (await this.database.prepared('webhook-lane-renew', RENEW, values)).length > 0;
  }

  /** Gives lanes back before their leases end, unless somebody has taken them over. */
  async release(ids: readonly string[], tokens: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.prepared('webhook-lanes-release', RELEASE, [ids, tokens]);
  }
}

// What is held is looked up by its key: a join of two lists without an index takes as many steps as
// their product. NO KEY UPDATE: what refers to a lane's subscription need not wait. The row that is
// locked is judged anew as it is then, so of two senders one gets the lane.
const TAKE = `
  ${LANE_HEADS},
  ready AS (
    SELECT l.subscription_id, coalesce(l.lease_token = held.token, false) AS is_ours
    FROM (
      SELECT subscription_id, min(next_attempt_at) AS due_at FROM (
        SELECT * FROM first UNION ALL SELECT * FROM again WHERE $2
      ) AS both_kinds GROUP BY subscription_id
    ) AS head
    CROSS JOIN moment
    JOIN webhook_lanes l ON l.subscription_id = head.subscription_id
    CROSS JOIN LATERAL (
      SELECT (ours ->> 0)::bigint AS token, (ours ->> 1)::int AS busy
      FROM (SELECT $3::jsonb -> l.subscription_id AS ours) AS looked_up
    ) AS held
    WHERE head.due_at <= moment.now AND l.is_active
      AND (l.lease_until IS NULL OR l.lease_until <= moment.now OR l.lease_token = held.token)
      AND (l.probe_at IS NULL OR l.probe_at <= moment.now)
      AND coalesce(held.busy, 0) < CASE WHEN l.probe_at IS NULL THEN $4 ELSE 1 END
    ORDER BY l.last_served_at NULLS FIRST, l.subscription_id
    LIMIT $1
    FOR NO KEY UPDATE OF l SKIP LOCKED
  )
  UPDATE webhook_lanes l
  SET lease_token = l.lease_token + CASE WHEN ready.is_ours THEN 0 ELSE 1 END,
    lease_until = moment.now + $5 * interval '1 second', last_served_at = moment.now
  FROM ready, moment, webhook_subscriptions s
  WHERE l.subscription_id = ready.subscription_id AND s.id = ready.subscription_id
    AND s.deleted_at IS NULL
  RETURNING l.subscription_id AS "subscriptionId", l.lease_token AS "leaseToken", s.url,
    s.secret_sealed AS "secretSealed",
    CASE WHEN s.previous_secret_until > moment.now THEN s.previous_secret_sealed END
      AS "previousSecretSealed",
    CASE WHEN l.probe_at IS NULL THEN $4 ELSE 1 END AS capacity,
    l.probe_at IS NOT NULL AS "isProbe"
`;

const RENEW = `
  UPDATE webhook_lanes SET lease_until = app_now() + $3 * interval '1 second'
  WHERE subscription_id = $1 AND lease_token = $2 AND lease_until IS NOT NULL AND is_active
  RETURNING subscription_id
`;

const RELEASE = `
  WITH idle AS MATERIALIZED (
    SELECT l.subscription_id
    FROM unnest($1::text[], $2::bigint[]) AS given (subscription_id, token)
    JOIN webhook_lanes l
      ON l.subscription_id = given.subscription_id AND l.lease_token = given.token
    ORDER BY l.subscription_id
    FOR NO KEY UPDATE OF l
  )
  UPDATE webhook_lanes l SET lease_until = NULL
  FROM idle WHERE l.subscription_id = idle.subscription_id
`;
