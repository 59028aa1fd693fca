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
    const rows = await this.database.prepared<{ isRecorded: boolean; isRecovered: boolean }>(
      'webhook-attempts-record',
      RECORD,
      [
        JSON.stringify(attempts.map((attempt, place) => inputOf(attempt, place))),
        [...letGo],
        FAILURES_BEFORE_INACTIVE,
        DAYS_BEFORE_INACTIVE,
        FAILURES_BEFORE_BREAKING,
        FIRST_PROBE_SECONDS,
        LONGEST_PROBE_SECONDS,
      ],
    );
    const recovered = rows.flatMap(({ isRecovered }, place) =>
      isRecovered ? [attempts[place].claim.lane.subscriptionId] : [],
    );
    return {
      isRecorded: rows.map(({ isRecorded }) => isRecorded),
      recovered: [...new Set(recovered)],
    };
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

// `health` is what the lanes come to: failures in a row are those after the batch's last success.
// Lanes are locked in the order of their ids, before any row of the queue, as everywhere.
const RECORD = `
  WITH input AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1) AS r (place int, id text, lane text, token bigint,
      attempt int, probe boolean, started timestamptz, ms int, status int, excerpt text,
      failure text, ok boolean, gone boolean, wait int)
  ),
  tally AS (
    SELECT lane, token, bool_or(ok) AS has_succeeded, bool_or(gone) AS is_gone,
      bool_or(probe AND NOT ok) AS has_probe_failed,
      count(*) FILTER (WHERE place > last_success)::int AS failures
    FROM (
      SELECT *, coalesce(max(place) FILTER (WHERE ok) OVER (PARTITION BY lane, token), -1)
        AS last_success
      FROM input
    ) AS placed GROUP BY lane, token
  ),
  locked AS MATERIALIZED (
    SELECT l.*, t.has_succeeded, t.is_gone, t.has_probe_failed, t.failures, app_now() AS now
    FROM webhook_lanes l JOIN tally t ON t.lane = l.subscription_id AND t.token = l.lease_token
    ORDER BY l.subscription_id
    FOR NO KEY UPDATE OF l
  ),
  counted AS (
    SELECT *,
      failures + CASE WHEN has_succeeded THEN 0 ELSE failure_count END AS new_count,
      CASE WHEN failures = 0 THEN NULL WHEN has_succeeded THEN now
        ELSE coalesce(failing_since, now) END AS new_since
    FROM locked
  ),
  health AS MATERIALIZED (
    SELECT *,
      is_active AND NOT is_gone
        AND NOT (new_count >= $3 AND coalesce(new_since <= now - $4 * interval '1 day', false))
        AS stays_active,
      CASE WHEN new_count < $5 THEN NULL
        WHEN has_succeeded OR probe_wait_seconds IS NULL THEN $6
        WHEN has_probe_failed THEN least(2 * probe_wait_seconds, $7)
        ELSE probe_wait_seconds END AS new_wait
    FROM counted
  ),
  finished AS (
    DELETE FROM webhook_queue q USING input i, health h
    WHERE q.delivery_id = i.id AND q.attempts = i.attempt - 1 AND i.wait IS NULL
      AND h.subscription_id = i.lane AND h.lease_token = i.token
    RETURNING q.delivery_id, q.partner_id, h.now
  ),
  postponed AS (
    UPDATE webhook_queue q
    SET attempts = i.attempt, next_attempt_at = h.now + i.wait * interval '1 millisecond'
    FROM input i, health h
    WHERE q.delivery_id = i.id AND q.attempts = i.attempt - 1 AND i.wait IS NOT NULL
      AND h.subscription_id = i.lane AND h.lease_token = i.token
    RETURNING q.delivery_id, q.partner_id, h.now
  ),
  recorded AS MATERIALIZED (
    SELECT i.*, r.partner_id, r.now
    FROM (SELECT * FROM finished UNION ALL SELECT * FROM postponed) AS r
    JOIN input i ON i.id = r.delivery_id
    JOIN health h ON h.subscription_id = i.lane AND h.lease_token = i.token
  ),
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
    SET failure_count = h.new_count, failing_since = h.new_since,
      last_delivery_at = CASE WHEN h.has_succeeded THEN h.now ELSE h.last_delivery_at END,
      is_active = h.stays_active,
      inactive_since = CASE WHEN h.stays_active THEN NULL ELSE coalesce(h.inactive_since, h.now) END,
      probe_wait_seconds = h.new_wait,
      probe_at = CASE WHEN h.new_wait IS NULL THEN NULL
        WHEN h.probe_at IS NULL OR h.has_probe_failed OR h.has_succeeded
          THEN h.now + h.new_wait * interval '1 second'
        ELSE h.probe_at END,
      lease_until = CASE WHEN h.subscription_id = ANY ($2::text[]) THEN NULL ELSE h.lease_until END
    FROM health h WHERE l.subscription_id = h.subscription_id
  )
  SELECT r.id IS NOT NULL AS "isRecorded",
    coalesce(h.probe_at IS NOT NULL AND h.has_succeeded, false) AS "isRecovered",
    set_config('synchronous_commit', 'off', true)
  FROM input i
  LEFT JOIN recorded r ON r.place = i.place
  LEFT JOIN health h ON h.subscription_id = i.lane AND h.lease_token = i.token
  ORDER BY i.place
`;

// What is in flight is due already, and stays as it is.
const DRAIN = `
  UPDATE webhook_queue SET next_attempt_at = app_now()
  WHERE subscription_id = ANY ($1::text[]) AND attempts > 0 AND next_attempt_at > app_now()
`;
