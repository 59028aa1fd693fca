import { Injectable } from '@nestjs/common';
import type { PartitionedTable } from '../../partitions/index.js';
import { Database } from '../../platform/index.js';
import { LANE_HEADS } from './lane-claim-statements.js';

/** How long finished deliveries, and events, are kept. */
export const DAYS_KEPT = 30;

/** How long deliveries that are due have waited, in seconds; 0 when none has. */
interface Waits {
  /** On subscriptions that work. */
  readonly due: number;
  /** Behind a breaker that is open. */
  readonly heldBack: number;
}

/** How many subscriptions are in which health. */
interface SubscriptionHealth {
  /** Nothing has failed since the last success. */
  readonly healthy: number;
  readonly failing: number;
  /** The breaker is open. */
  readonly broken: number;
  readonly inactive: number;
}

/**
 * What keeps the deliveries in order over time. Every statement takes a chunk of rows, passes over
 * those that somebody else holds, and answers how many it changed.
 */
@Injectable()
export class DeliveryUpkeepRepository {
  constructor(private readonly database: Database) {}

  async waits(): Promise<Waits> {
    const [row] = await this.database.query<Waits & Record<string, unknown>>(WAITS);
    return row;
  }

  async health(): Promise<SubscriptionHealth> {
    const [row] = await this.database.query<SubscriptionHealth & Record<string, unknown>>(HEALTH);
    return row;
  }

  /**
   * Cancels what still waits for deleted subscriptions: so many first attempts and so many retries
   * at most.
   */
  async cancelOrphans(most: number): Promise<number> {
    return (await this.database.query(CANCEL_ORPHANS, [most])).length;
  }

  /** The same for one subscription; nothing while it is not deleted. */
  async cancelDeleted(subscriptionId: string, most: number): Promise<number> {
    return (await this.database.query(CANCEL_DELETED, [most, subscriptionId])).length;
  }

  /** Gives up on deliveries that have waited for an inactive subscription for too long. */
  async cancelLongPaused(most: number): Promise<number> {
    return (await this.database.query(CANCEL_LONG_PAUSED, [most, DAYS_KEPT])).length;
  }

  /**
   * Removes deliveries that were finished long ago, going by their ids, which rise with time. Their attempts, which
   * nobody is shown then, go with their partition.
   * @param after where the last chunk ended; an empty text for the first
   * @returns where this chunk ended; null when it was the last
   */
  async removeFinished(most: number, after: string): Promise<string | null> {
    const [row] = await this.database.query<{ last: string | null; looked: number }>(
      REMOVE_FINISHED,
      [most, DAYS_KEPT, after],
    );
    return row.looked < most ? null : row.last;
  }

  /** Removes old events that no delivery refers to any more. */
  async removeEvents(most: number): Promise<number> {
    const [{ removed }] = await this.database.query<{ removed: number }>(REMOVE_EVENTS, [
      most,
      DAYS_KEPT,
    ]);
    return removed;
  }
}

const WAITS = `
  ${LANE_HEADS},
  waited AS (
    SELECT extract(epoch FROM moment.now - head.next_attempt_at) AS seconds, l.probe_at
    FROM (SELECT * FROM first UNION ALL SELECT * FROM again) AS head
    CROSS JOIN moment
    JOIN webhook_lanes l ON l.subscription_id = head.subscription_id
    WHERE l.is_active AND head.next_attempt_at <= moment.now
  )
  SELECT coalesce(max(seconds) FILTER (WHERE probe_at IS NULL), 0)::float8 AS due,
    coalesce(max(seconds) FILTER (WHERE probe_at IS NOT NULL), 0)::float8 AS "heldBack"
  FROM waited
`;

const HEALTH = `
  SELECT
    count(*) FILTER (WHERE is_active AND failure_count = 0)::int AS healthy,
    count(*) FILTER (WHERE is_active AND failure_count > 0 AND probe_at IS NULL)::int AS failing,
    count(*) FILTER (WHERE is_active AND probe_at IS NOT NULL)::int AS broken,
    count(*) FILTER (WHERE NOT is_active)::int AS inactive
  FROM webhook_lanes
`;

const cancelled = (picked: string) => `
  WITH given_up AS (
    DELETE FROM webhook_queue WHERE delivery_id = ANY (ARRAY(${picked})) RETURNING delivery_id
  )
  UPDATE webhook_deliveries d SET status = 'CANCELLED', finished_at = app_now()
  FROM given_up WHERE d.id = given_up.delivery_id
  RETURNING d.id`;

/** First attempts and retries apart, each by its own index. */
const ofBothKinds = (picked: (kind: string) => string) => `
    SELECT delivery_id FROM (${picked('q.attempts = 0')}) AS first_attempts
    UNION ALL SELECT delivery_id FROM (${picked('q.attempts > 0')}) AS retries`;

const OF_THE_GONE = ofBothKinds(
  (kind) => `
      SELECT q.delivery_id FROM gone JOIN webhook_queue q ON q.subscription_id = gone.id
      WHERE ${kind} LIMIT $1 FOR UPDATE OF q SKIP LOCKED`,
);

const CANCEL_ORPHANS = cancelled(`
    ${LANE_HEADS},
    gone AS (
      SELECT s.id
      FROM (SELECT subscription_id FROM first UNION SELECT subscription_id FROM again) AS head
      JOIN webhook_subscriptions s ON s.id = head.subscription_id AND s.deleted_at IS NOT NULL
    )
    ${OF_THE_GONE}`);

const CANCEL_DELETED = cancelled(`
    WITH gone AS (
      SELECT id FROM webhook_subscriptions WHERE id = $2 AND deleted_at IS NOT NULL
    )
    ${OF_THE_GONE}`);

// The lane is kept as it is for the moment, and looked at again once it is: what is being enabled is
// not given up on.
const CANCEL_LONG_PAUSED = cancelled(
  ofBothKinds(
    (kind) => `
      SELECT q.delivery_id FROM webhook_lanes l
      JOIN webhook_queue q ON q.subscription_id = l.subscription_id
      WHERE ${kind} AND NOT l.is_active
        AND l.inactive_since < app_now() - $2 * interval '1 day'
        AND q.next_attempt_at < app_now() - $2 * interval '1 day'
      LIMIT $1 FOR SHARE OF l SKIP LOCKED FOR UPDATE OF q SKIP LOCKED`,
  ),
);

/** A UUIDv7 begins with its milliseconds, so what is younger is not even looked at. */
function idsBefore(prefix: string, days: string): string {
  return `'${prefix}' || lpad(to_hex(
      (extract(epoch FROM app_now() - ${days} * interval '1 day') * 1000)::bigint), 12, '0')`;
}

// What is being sent again at this moment is passed over, and what has just been is judged as it is then.
const REMOVE_FINISHED = `
  WITH looked AS MATERIALIZED (
    SELECT id FROM webhook_deliveries
    WHERE id > $3 AND id < ${idsBefore('dlv_', '$2')}
    ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  ),
  old AS (
    DELETE FROM webhook_deliveries d USING looked
    WHERE d.id = looked.id AND d.finished_at < app_now() - $2 * interval '1 day'
  )
  SELECT max(id) AS last, count(*)::int AS looked FROM looked
`;

// What is removed is noted with its stream in the same statement: whoever has not read it is told. One that
// nobody has asked for counts as the last, since it would have come after all that have a position.
const REMOVE_EVENTS = `
  WITH old AS MATERIALIZED (
    SELECT e.id FROM webhook_events e
    WHERE e.id < ${idsBefore('evt_', '$2')} AND e.created_at < app_now() - $2 * interval '1 day'
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id)
    ORDER BY e.id LIMIT $1 FOR UPDATE SKIP LOCKED
  ),
  gone AS (
    DELETE FROM webhook_events e USING old WHERE e.id = old.id RETURNING e.partner_id, e.position
  ),
  stream AS MATERIALIZED (
    SELECT s.partner_id, removed.last, removed.has_unread
    FROM (
      SELECT partner_id, coalesce(max(position), 0) AS last, bool_or(position IS NULL) AS has_unread
      FROM gone GROUP BY partner_id
    ) AS removed
    JOIN webhook_streams s ON s.partner_id = removed.partner_id
    ORDER BY s.partner_id FOR UPDATE OF s
  ),
  noted AS (
    UPDATE webhook_streams s
    SET placed_to = s.placed_to + stream.has_unread::int,
      removed_to = CASE WHEN stream.has_unread THEN s.placed_to + 1
        ELSE greatest(s.removed_to, stream.last) END
    FROM stream WHERE s.partner_id = stream.partner_id
  )
  SELECT count(*)::int AS removed FROM gone
`;

/**
 * The log of attempts, by the time at which the delivery was made: a delivery's attempts stand together. They go
 * with their week, but for those of deliveries that are there still: sent again lately, or kept waiting for long.
 */
export const ATTEMPT_WEEKS: PartitionedTable = {
  name: 'webhook_attempts',
  key: { column: 'delivery_id', idPrefix: 'dlv' },
  daysEach: 7,
  ahead: 2,
  daysKept: DAYS_KEPT,
  stillNeeded: `
    SELECT id AS key FROM webhook_deliveries
    WHERE id > $1 AND id <= $2 AND attempts > 0`,
};
