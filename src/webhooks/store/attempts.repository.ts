import { Injectable } from '@nestjs/common';
import { Columns, type OutboundFailureReason } from '../../platform/index.js';
import { isAlertName } from '../domain/webhook-events.js';
import type { ClaimedDelivery } from './lane-claims.repository.js';
import { makeRetriesDue } from './make-retries-due.js';
import { SenderDatabase } from './sender-database.js';
import { WebhookAttempt } from './webhook-delivery.entity.js';

/** Both must be true before a failing subscription becomes inactive. */
export const FAILURES_BEFORE_INACTIVE = 20;
export const DAYS_BEFORE_INACTIVE = 3;

const FAILURES_BEFORE_BREAKING = 5;
const FIRST_PROBE_SECONDS = 30;
const LONGEST_PROBE_SECONDS = 600;

export interface AttemptResult {
  readonly isSuccess: boolean;
  /** The receiver answered 410: it wants no more deliveries. */
  readonly isGone: boolean;
  /** Null without a response. */
  readonly responseStatus: number | null;
  /** First kilobyte, personal data masked; null if unreadable. */
  readonly responseExcerpt: string | null;
  /** Null if there was a usable response. */
  readonly failure: OutboundFailureReason | null;
  /** From the receiver's `Retry-After`. */
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

export interface Attempt {
  readonly claim: ClaimedDelivery;
  /** Milliseconds on the monotonic clock. Attempts and retries are stored in the database's time. */
  readonly startedAt: number;
  readonly result: AttemptResult;
  /** Null if there is no next attempt. */
  readonly retryDelayMs: number | null;
}

export interface BatchRecord {
  /** For each attempt: false if too late. */
  readonly isRecorded: boolean[];
  /** Recovered subscriptions whose retries are now to be made due. */
  readonly toDrain: readonly string[];
}

@Injectable()
export class AttemptsRepository {
  constructor(private readonly database: SenderDatabase) {}

  /**
   * Records all attempts in order of ending, or none. An attempt counts only with a current lease
   * token and an open delivery. The commit does not wait for the disk. After a crash, lost results
   * are sent again under the same event id.
   */
  async record(attempts: readonly Attempt[]): Promise<BatchRecord> {
    const [row] = await this.database.prepared<{ ordinals: string | null; toDrain: string | null }>(
      'webhook-attempts-record',
      RECORD,
      batchColumns(attempts, performance.now()),
    );
    return {
      isRecorded: marked(attempts, row?.ordinals?.split(' ').map(Number) ?? []),
      toDrain: row?.toDrain?.split(' ') ?? [],
    };
  }

  async whichAreRecorded(attempts: readonly Attempt[]): Promise<boolean[]> {
    const rows = await this.database.prepared<{ ordinal: number }>(
      'webhook-attempts-recorded',
      RECORDED,
      [attempts.map(({ claim }) => claim.deliveryId), attempts.map(({ claim }) => claim.attempt)],
    );
    return marked(
      attempts,
      rows.map(({ ordinal }) => ordinal),
    );
  }

  /** Makes retries due; takes seconds for 100,000. */
  async drain(subscriptionIds: readonly string[]): Promise<void> {
    const run = this.database.prepared.bind(this.database);
    for (const id of subscriptionIds) await makeRetriesDue(run, id);
  }
}

/** @param ordinals from 1 */
function marked(attempts: readonly Attempt[], ordinals: readonly number[]): boolean[] {
  const flags = attempts.map(() => false);
  for (const ordinal of ordinals) flags[ordinal - 1] = true;
  return flags;
}

interface LaneResults {
  readonly subscriptionId: string;
  readonly leaseToken: number;
  /** From 1. */
  ordinal: number;
  /** Since the last success. */
  failures: number;
  failsJourneyEvents: boolean;
  hasSucceeded: boolean;
  isGone: boolean;
  hasProbeFailed: boolean;
}

/**
 * Parameters of `RECORD`.
 * @param now of the monotonic clock, in milliseconds
 */
export function batchColumns(attempts: readonly Attempt[], now: number): unknown[] {
  const laneOfEach = laneResults(attempts);
  const lanes = inLockOrder(new Set(laneOfEach));
  return [
    lanes.map(({ subscriptionId }) => subscriptionId),
    lanes.map(({ leaseToken }) => leaseToken),
    lanes.map(({ hasSucceeded }) => hasSucceeded),
    lanes.map(({ isGone }) => isGone),
    lanes.map(({ hasProbeFailed }) => hasProbeFailed),
    lanes.map(({ failures }) => failures),
    lanes.map(({ failsJourneyEvents }) => failsJourneyEvents),
    attempts.map(({ claim }) => claim.deliveryId),
    laneOfEach.map(({ ordinal }) => ordinal),
    attempts.map(({ claim }) => claim.attempt),
    attempts.map(({ startedAt }) => now - startedAt),
    attempts.map(({ result }) => result.durationMs),
    attempts.map(({ result }) => result.responseStatus),
    attempts.map(({ result }) => result.responseExcerpt),
    attempts.map(({ result }) => result.failure),
    attempts.map(({ result }) => result.isSuccess),
    attempts.map(({ result, retryDelayMs }) => (result.isSuccess ? null : retryDelayMs)),
  ];
}

/** The lane of each attempt, one per lease token. */
function laneResults(attempts: readonly Attempt[]): LaneResults[] {
  const lanes = new Map<string, LaneResults>();
  return attempts.map(({ claim, result }) => {
    const { subscriptionId, leaseToken, isProbe } = claim.lane;
    const key = `${subscriptionId} ${leaseToken}`;
    const lane = lanes.get(key) ?? {
      subscriptionId,
      leaseToken,
      ordinal: 0,
      failures: 0,
      failsJourneyEvents: false,
      hasSucceeded: false,
      isGone: false,
      hasProbeFailed: false,
    };
    lanes.set(key, lane);
    lane.failures = result.isSuccess ? 0 : lane.failures + 1;
    lane.failsJourneyEvents =
      !result.isSuccess && (lane.failsJourneyEvents || !isAlertName(claim.eventName));
    lane.hasSucceeded ||= result.isSuccess;
    lane.isGone ||= result.isGone;
    lane.hasProbeFailed ||= isProbe && !result.isSuccess;
    return lane;
  });
}

/** By id, the order in which all statements lock lanes. */
function inLockOrder(lanes: ReadonlySet<LaneResults>): LaneResults[] {
  const sorted = [...lanes].toSorted((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1));
  sorted.forEach((lane, index) => {
    lane.ordinal = index + 1;
  });
  return sorted;
}

// For a lane `l` and its results `b`: failures in a row, since the last success.
const FAILURES = `(b.failures + CASE WHEN b.has_succeeded THEN 0 ELSE l.failure_count END)`;
const FAILING_SINCE = `
  CASE WHEN b.failures = 0 THEN NULL WHEN b.has_succeeded THEN moment.now
    ELSE coalesce(l.failing_since, moment.now) END`;
const STAYS_ACTIVE = `
  (l.is_active AND NOT b.is_gone AND NOT (${FAILURES} >= ${FAILURES_BEFORE_INACTIVE}
    AND coalesce(${FAILING_SINCE} <= moment.now - interval '${DAYS_BEFORE_INACTIVE} days', false)))`;
const PROBE_WAIT = `
  CASE WHEN ${FAILURES} < ${FAILURES_BEFORE_BREAKING} THEN NULL
    WHEN b.has_succeeded OR l.probe_wait_seconds IS NULL THEN ${FIRST_PROBE_SECONDS}
    WHEN b.has_probe_failed THEN least(2 * l.probe_wait_seconds, ${LONGEST_PROBE_SECONDS})
    ELSE l.probe_wait_seconds END`;

const ATTEMPT = new Columns(WebhookAttempt).list([
  'deliveryId',
  'attempt',
  'partnerId',
  'startedAt',
  'durationMs',
  'responseStatus',
  'responseExcerpt',
  'failure',
]);

// $1 to $7 are the lanes, locked by id before any queue row; $8 to $17 the attempts. Each join is
// one index look-up a row (see PLANS_BY_INDEX). `held_lanes` is an array, since joining two lists
// costs their product. Returns the ordinals that counted and the recovered lanes, separated by
// spaces.
const RECORD = `
  WITH moment AS MATERIALIZED (SELECT app_now() AS now),
  lane AS (
    UPDATE webhook_lanes l
    SET failure_count = ${FAILURES}, failing_since = ${FAILING_SINCE},
      fails_journey_events = (l.is_active AND b.fails_journey_events)
        OR (l.fails_journey_events AND NOT b.has_succeeded),
      last_delivery_at = CASE WHEN b.has_succeeded THEN moment.now ELSE l.last_delivery_at END,
      has_succeeded = l.has_succeeded OR b.has_succeeded, is_active = ${STAYS_ACTIVE},
      inactive_since = CASE WHEN ${STAYS_ACTIVE} THEN NULL
        ELSE coalesce(l.inactive_since, moment.now) END,
      probe_wait_seconds = ${PROBE_WAIT},
      probe_at = CASE WHEN ${PROBE_WAIT} IS NULL THEN NULL
        WHEN l.probe_at IS NULL OR b.has_probe_failed OR b.has_succeeded
          THEN moment.now + ${PROBE_WAIT} * interval '1 second'
        ELSE l.probe_at END,
      drain_since = CASE WHEN l.probe_at IS NOT NULL AND ${PROBE_WAIT} IS NULL THEN moment.now
        ELSE l.drain_since END
    FROM moment, unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::boolean[],
      $6::int[], $7::boolean[]) WITH ORDINALITY AS b (subscription_id, token, has_succeeded, is_gone,
      has_probe_failed, failures, fails_journey_events, ordinal)
    WHERE l.subscription_id = ANY (ARRAY[b.subscription_id]) AND l.lease_token = b.token
    RETURNING b.ordinal, l.subscription_id, l.drain_since = moment.now AS works_again
  ),
  held_lanes AS MATERIALIZED (SELECT array_agg(ordinal) AS ordinals FROM lane),
  attempt AS MATERIALIZED (
    SELECT a.*, moment.now
    FROM moment, held_lanes, unnest($8::text[], $9::int[], $10::int[], $11::float8[], $12::int[],
      $13::int[], $14::text[], $15::text[], $16::boolean[], $17::int[])
      WITH ORDINALITY AS a (id, lane, number, age_ms, duration_ms, status, excerpt, failure,
      is_success, wait_ms, ordinal)
    WHERE a.lane = ANY (held_lanes.ordinals)
  ),
  finished AS (
    DELETE FROM webhook_queue q USING attempt a
    WHERE q.delivery_id = ANY (ARRAY[a.id]) AND q.attempts = a.number - 1 AND a.wait_ms IS NULL
    RETURNING a.*, q.event_id, q.subscription_id
  ),
  postponed AS (
    UPDATE webhook_queue q
    SET attempts = a.number, next_attempt_at = a.now + a.wait_ms * interval '1 millisecond'
    FROM attempt a
    WHERE q.delivery_id = ANY (ARRAY[a.id]) AND q.attempts = a.number - 1 AND a.wait_ms IS NOT NULL
    RETURNING a.*, q.event_id, q.subscription_id
  ),
  recorded AS MATERIALIZED (SELECT * FROM finished UNION ALL SELECT * FROM postponed),
  delivery AS (
    UPDATE webhook_deliveries d
    SET attempts = r.number,
      status = CASE WHEN r.is_success THEN 'SUCCEEDED' WHEN r.wait_ms IS NULL THEN 'EXHAUSTED'
        ELSE 'PENDING' END,
      finished_at = CASE WHEN r.wait_ms IS NULL THEN r.now END
    FROM recorded r
    WHERE d.id = ANY (ARRAY[r.id]) AND d.event_id = ANY (ARRAY[r.event_id])
      AND d.subscription_id = ANY (ARRAY[r.subscription_id])
    RETURNING r.*, d.partner_id
  ),
  log AS (
    INSERT INTO webhook_attempts (${ATTEMPT})
    SELECT id, number, partner_id, now - age_ms * interval '1 millisecond', duration_ms, status, excerpt,
      failure
    FROM delivery
  )
  SELECT string_agg(ordinal::text, ' ') AS ordinals,
    (SELECT string_agg(subscription_id, ' ') FROM lane WHERE works_again) AS "toDrain",
    set_config('synchronous_commit', 'off', true)
  FROM recorded
`;

export const RECORDED = `
  SELECT given.ordinal::int
  FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS given (delivery_id, attempt, ordinal)
  CROSS JOIN LATERAL (
    SELECT FROM webhook_attempts
    WHERE delivery_id = given.delivery_id AND attempt = given.attempt OFFSET 0
  ) AS a
`;
