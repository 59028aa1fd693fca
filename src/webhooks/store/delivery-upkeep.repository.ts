import { Injectable } from '@nestjs/common';
import type { PartitionedTable } from '../../partitions/index.js';
import { Database } from '../../platform/index.js';
import { LANE_HEADS } from './lane-claim-statements.js';

/** Retention of finished deliveries and of events. */
export const DAYS_KEPT = 30;

/** Age in seconds of the oldest due delivery; 0 if none. */
interface Waits {
  /** On subscriptions that work. */
  readonly due: number;
  /** Behind an open breaker. */
  readonly heldBack: number;
}

interface SubscriptionHealth {
  /** No failure since the last success. */
  readonly healthy: number;
  readonly failing: number;
  /** The breaker is open. */
  readonly broken: number;
  readonly inactive: number;
}

/** Each statement changes one chunk, skips locked rows and returns how many it changed. */
@Injectable()
export class DeliveryUpkeepRepository {
  constructor(private readonly database: Database) {}

  async waits(): Promise<Waits> {
    const [row] = await this.database.query<Waits>(WAITS);
    return row;
  }

  async health(): Promise<SubscriptionHealth> {
    const [row] = await this.database.query<SubscriptionHealth>(HEALTH);
    return row;
  }

  /** At most `max` first attempts and `max` retries. */
  async cancelOrphans(max: number): Promise<number> {
    return (await this.database.query(CANCEL_ORPHANS, [max])).length;
  }

  /** Does nothing until the subscription is deleted. */
  async cancelDeleted(subscriptionId: string, max: number): Promise<number> {
    return (await this.database.query(CANCEL_DELETED, [max, subscriptionId])).length;
  }

  async cancelLongPaused(max: number): Promise<number> {
    return (await this.database.query(CANCEL_LONG_PAUSED, [max, DAYS_KEPT])).length;
  }

  /**
   * Attempts are deleted with their partition.
   * @param after where the last chunk ended; '' for the first
   * @returns where this chunk ended; null if it was the last
   */
  async removeFinished(max: number, after: string): Promise<string | null> {
    const [row] = await this.database.query<{ last: string | null; scanned: number }>(
      REMOVE_FINISHED,
      [max, DAYS_KEPT, after],
    );
    return row.scanned < max ? null : row.last;
  }

  /** Only events without deliveries. */
  async removeEvents(max: number): Promise<number> {
    const [{ removed }] = await this.database.query<{ removed: number }>(REMOVE_EVENTS, [
      max,
      DAYS_KEPT,
    ]);
    return removed;
  }
}

const WAITS = `
  ${LANE_HEADS},
  waited AS (
    SELECT extract(epoch FROM moment.now - head.next_attempt_at) AS seconds, l.probe_at
    FROM (SELECT * FROM first UNION ALL SELECT * FROM retry) AS head
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

/** First attempts and retries separately, each by its own index. */
const ofBothKinds = (picked: (kind: string) => string) => `
    SELECT delivery_id FROM (${picked('q.attempts = 0')}) AS first_attempts
    UNION ALL SELECT delivery_id FROM (${picked('q.attempts > 0')}) AS retries`;

const OPEN_OF_DELETED = ofBothKinds(
  (kind) => `
      SELECT q.delivery_id FROM deleted JOIN webhook_queue q ON q.subscription_id = deleted.id
      WHERE ${kind} LIMIT $1 FOR UPDATE OF q SKIP LOCKED`,
);

const CANCEL_ORPHANS = cancelled(`
    ${LANE_HEADS},
    deleted AS (
      SELECT s.id
      FROM (SELECT subscription_id FROM first UNION SELECT subscription_id FROM retry) AS head
      JOIN webhook_subscriptions s ON s.id = head.subscription_id AND s.deleted_at IS NOT NULL
    )
    ${OPEN_OF_DELETED}`);

const CANCEL_DELETED = cancelled(`
    WITH deleted AS (
      SELECT id FROM webhook_subscriptions WHERE id = $2 AND deleted_at IS NOT NULL
    )
    ${OPEN_OF_DELETED}`);

// Locks and rechecks the lane: a subscription being enabled keeps its deliveries.
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

/** A UUIDv7 starts with its milliseconds, so younger rows are not scanned. */
function idsBefore(prefix: string, days: string): string {
  return `'${prefix}' || lpad(to_hex(
      (extract(epoch FROM app_now() - ${days} * interval '1 day') * 1000)::bigint), 12, '0')`;
}

// Skips deliveries that are being reopened, and rechecks those just reopened.
const REMOVE_FINISHED = `
  WITH scanned AS MATERIALIZED (
    SELECT id FROM webhook_deliveries
    WHERE id > $3 AND id < ${idsBefore('dlv_', '$2')}
    ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  ),
  old AS (
    DELETE FROM webhook_deliveries d USING scanned
    WHERE d.id = scanned.id AND d.finished_at < app_now() - $2 * interval '1 day'
  )
  SELECT max(id) AS last, count(*)::int AS scanned FROM scanned
`;

// Records deletions with the stream: a partner that missed events gets `cursor_expired`. A deleted
// event without a position counts as the last one.
const REMOVE_EVENTS = `
  WITH old AS MATERIALIZED (
    SELECT e.id FROM webhook_events e
    WHERE e.id < ${idsBefore('evt_', '$2')} AND e.created_at < app_now() - $2 * interval '1 day'
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id)
    ORDER BY e.id LIMIT $1 FOR UPDATE SKIP LOCKED
  ),
  deleted AS (
    DELETE FROM webhook_events e USING old WHERE e.id = old.id RETURNING e.partner_id, e.position
  ),
  stream AS MATERIALIZED (
    SELECT s.partner_id, removed.last, removed.has_unread
    FROM (
      SELECT partner_id, coalesce(max(position), 0) AS last, bool_or(position IS NULL) AS has_unread
      FROM deleted GROUP BY partner_id
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
  SELECT count(*)::int AS removed FROM deleted
`;

/**
 * Partitioned by the time of the delivery. Dropping a week keeps the attempts of remaining
 * deliveries: recently reopened, or long paused.
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
