import { Injectable } from '@nestjs/common';
import type { AttemptResult } from './attempt-result.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { SenderDatabase } from './sender-database.js';

/** Both must be true before a failing subscription goes inactive. */
const FAILURES_BEFORE_INACTIVE = 20;
const DAYS_BEFORE_INACTIVE = 3;

const FAILURES_BEFORE_BREAKING = 5;
const FIRST_PROBE_SECONDS = 30;
const LONGEST_PROBE_SECONDS = 600;

/** One attempt and what came of it. */
export interface Attempt {
  readonly claim: ClaimedDelivery;
  readonly startedAt: Date;
  readonly result: AttemptResult;
  /** The wait before the next attempt; null when there is none. */
  readonly retryDelayMs: number | null;
}

/** What came of recording a batch. */
export interface Recorded {
  /** For each attempt, in the batch's order: false when it came too late and is void. */
  readonly isRecorded: boolean[];
  /** The subscriptions whose breaker was open, and on which something has succeeded. */
  readonly recovered: string[];
}

/** Writes down what came of attempts: their log, the deliveries' state and the lanes' health. */
@Injectable()
export class AttemptRecords {
  constructor(private readonly database: SenderDatabase) {}

  /**
   * Records many attempts, in the order in which they ended, in one statement: all of it, or nothing.
   * An attempt counts only while its lane has not changed hands since the claim and the delivery is
   * still open.
   *
   * The statement does not wait for the disk. What a crash of the server loses is sent again under
   * the same event id, as after any crash between a receiver's answer and its record.
   * @param letGo the lanes on which nothing else is in flight: their leases end with this
   */
  async record(attempts: readonly Attempt[], letGo: ReadonlySet<string>): Promise<Recorded> {
    const rows = await this.database.prepared<{ place: number; isRecovered: boolean }>(
      'webhook-attempts-record',
      RECORD,
      [
        JSON.stringify(attempts.map(inputOf)),
        [...letGo],
        FAILURES_BEFORE_INACTIVE,
        DAYS_BEFORE_INACTIVE,
        FAILURES_BEFORE_BREAKING,
        FIRST_PROBE_SECONDS,
        LONGEST_PROBE_SECONDS,
      ],
    );
    const isRecorded = attempts.map(() => false);
    const recovered = new Set<string>();
    for (const { place, isRecovered } of rows) {
      isRecorded[place] = true;
      if (isRecovered) recovered.add(attempts[place].claim.lane.subscriptionId);
    }
    return { isRecorded, recovered: [...recovered] };
  }

  /** Makes due what waits for a retry on subscriptions that work again. */
  async drain(subscriptionIds: readonly string[]): Promise<void> {
    await this.database.prepared('webhook-lanes-drain', DRAIN, [subscriptionIds]);
  }
}

/** The names are those of the statement's `json_to_recordset`. */
function inputOf({ claim, startedAt, result, retryDelayMs }: Attempt, place: number): object {
  return {
    place,
    id: claim.deliveryId,
    lane: claim.lane.subscriptionId,
    token: claim.lane.leaseToken,
    attempt: claim.attempt,
    probe: claim.lane.isProbe,
    started: startedAt,
    ms: result.durationMs,
    status: result.responseStatus,
    excerpt: result.responseExcerpt,
    failure: result.failure,
    ok: result.isSuccess,
    gone: result.isGone,
    wait: result.isSuccess ? null : retryDelayMs,
  };
}

// `judged` is the batch beside what its lanes come to: failures in a row are those after the batch's
// last success. It is joined by index to one table after the other, each row once. Lanes are locked in
// the order of their ids, before any row of the queue, as everywhere.
const RECORD = `
  WITH input AS (
    SELECT * FROM json_to_recordset($1) AS r (place int, id text, lane text, token bigint,
      attempt int, probe boolean, started timestamptz, ms int, status int, excerpt text,
      failure text, ok boolean, gone boolean, wait int)
  ),
  placed AS (
    SELECT *, bool_or(ok) OVER lane AS has_succeeded, bool_or(gone) OVER lane AS is_gone,
      bool_or(probe AND NOT ok) OVER lane AS has_probe_failed,
      coalesce(max(place) FILTER (WHERE ok) OVER lane, -1) AS last_success
    FROM input WINDOW lane AS (PARTITION BY lane, token)
  ),
  tallied AS (
    SELECT *, (count(*) FILTER (WHERE place > last_success) OVER (PARTITION BY lane, token))::int
      AS failures
    FROM placed
  ),
  locked AS MATERIALIZED (
    SELECT t.*, l.is_active, l.inactive_since, l.failure_count, l.failing_since,
      l.last_delivery_at, l.probe_at, l.probe_wait_seconds, l.lease_until, moment.now
    FROM (SELECT app_now() AS now) AS moment
    CROSS JOIN tallied t
    JOIN webhook_lanes l ON l.subscription_id = t.lane AND l.lease_token = t.token
    ORDER BY t.lane
    FOR NO KEY UPDATE OF l
  ),
  judged AS MATERIALIZED (
    SELECT *,
      is_active AND NOT is_gone
        AND NOT (new_count >= $3 AND coalesce(new_since <= now - $4 * interval '1 day', false))
        AS stays_active,
      CASE WHEN new_count < $5 THEN NULL
        WHEN has_succeeded OR probe_wait_seconds IS NULL THEN $6
        WHEN has_probe_failed THEN least(2 * probe_wait_seconds, $7)
        ELSE probe_wait_seconds END AS new_wait
    FROM (
      SELECT *,
        failures + CASE WHEN has_succeeded THEN 0 ELSE failure_count END AS new_count,
        CASE WHEN failures = 0 THEN NULL WHEN has_succeeded THEN now
          ELSE coalesce(failing_since, now) END AS new_since
      FROM locked
    ) AS counted
  ),
  finished AS (
    DELETE FROM webhook_queue q USING judged j
    WHERE q.delivery_id = j.id AND q.attempts = j.attempt - 1 AND j.wait IS NULL
    RETURNING j.*, q.partner_id
  ),
  postponed AS (
    UPDATE webhook_queue q
    SET attempts = j.attempt, next_attempt_at = j.now + j.wait * interval '1 millisecond'
    FROM judged j
    WHERE q.delivery_id = j.id AND q.attempts = j.attempt - 1 AND j.wait IS NOT NULL
    RETURNING j.*, q.partner_id
  ),
  recorded AS MATERIALIZED (SELECT * FROM finished UNION ALL SELECT * FROM postponed),
  deliveries AS (
    UPDATE webhook_deliveries d
    SET attempts = r.attempt,
      status = CASE WHEN r.ok THEN 'SUCCEEDED' WHEN r.wait IS NULL THEN 'EXHAUSTED'
        ELSE 'PENDING' END,
      finished_at = CASE WHEN r.wait IS NULL THEN r.now END
    FROM recorded r WHERE d.id = r.id
  ),
  attempts AS (
    INSERT INTO webhook_attempts (delivery_id, attempt, partner_id, started_at, duration_ms,
      response_status, response_excerpt, failure)
    SELECT id, attempt, partner_id, started, ms, status, excerpt, failure FROM recorded
  ),
  lanes AS (
    UPDATE webhook_lanes l
    SET failure_count = j.new_count, failing_since = j.new_since,
      last_delivery_at = CASE WHEN j.has_succeeded THEN j.now ELSE j.last_delivery_at END,
      is_active = j.stays_active,
      inactive_since = CASE WHEN j.stays_active THEN NULL ELSE coalesce(j.inactive_since, j.now) END,
      probe_wait_seconds = j.new_wait,
      probe_at = CASE WHEN j.new_wait IS NULL THEN NULL
        WHEN j.probe_at IS NULL OR j.has_probe_failed OR j.has_succeeded
          THEN j.now + j.new_wait * interval '1 second'
        ELSE j.probe_at END,
      lease_until = CASE WHEN j.lane = ANY ($2::text[]) THEN NULL ELSE j.lease_until END
    FROM (SELECT DISTINCT ON (lane) * FROM judged ORDER BY lane) AS j
    WHERE l.subscription_id = j.lane
  )
  SELECT place, probe_at IS NOT NULL AND has_succeeded AS "isRecovered",
    set_config('synchronous_commit', 'off', true)
  FROM recorded
`;

// What is in flight is due already, and stays as it is.
const DRAIN = `
  UPDATE webhook_queue SET next_attempt_at = app_now()
  WHERE subscription_id = ANY ($1::text[]) AND attempts > 0 AND next_attempt_at > app_now()
`;
