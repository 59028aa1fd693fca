import { Columns, dueRows, type DueWork, RowArrays } from '../../platform/index.js';
import { CLAIMED, type QuestionOutcome } from '../claimed-question.js';
import { LenderQuestionRow } from './lender-question.entity.js';

const columns = new Columns(LenderQuestionRow);

const GIVEN = [
  'id',
  'partnerId',
  'subjectId',
  'lenderCode',
  'kind',
  'reference',
  'payloadSealed',
  'sentSealed',
  'attempts',
  'isSessionOpen',
] as const;

export const OVERDUE = [
  'partnerId',
  'subjectId',
  'lenderCode',
  'kind',
  'reference',
  'awaitedSince',
] as const;

export const STATUS_AFTER: Readonly<Record<QuestionOutcome['kind'], LenderQuestionRow['status']>> =
  {
    ANSWERED: 'ANSWERED',
    PENDING: 'OPEN',
    FAILED: 'OPEN',
    GIVEN_UP: 'CLOSED',
  };

/** Evaluated once per statement; a bare `app_now()` runs for each row. */
const NOW = '(SELECT app_now())';

export const PUT_ROWS = new RowArrays(columns, GIVEN, {
  beside: ['delay_ms'],
  more: `${NOW} + delay_ms::float8 * interval '1 millisecond', ${NOW},
    CASE WHEN NOT is_session_open::boolean THEN ${NOW} END`,
});

// A caller that has already asked knows when to ask again.
export const PUT = `
  INSERT INTO lender_questions AS q (${PUT_ROWS.list}, next_attempt_at, created_at, awaited_since)
  ${PUT_ROWS.select}
  ON CONFLICT (subject_id, kind, reference, lender_code) DO UPDATE
    SET attempts = q.attempts + excluded.attempts,
      next_attempt_at = CASE excluded.attempts
        WHEN 0 THEN least(q.next_attempt_at, excluded.next_attempt_at)
        ELSE excluded.next_attempt_at END,
      sent_sealed = coalesce(q.sent_sealed, excluded.sent_sealed),
      is_session_open = excluded.is_session_open,
      awaited_since = CASE WHEN NOT excluded.is_session_open
        THEN coalesce(q.awaited_since, excluded.awaited_since) END,
      overdue_at = CASE WHEN NOT excluded.is_session_open THEN q.overdue_at END
    WHERE q.status = 'OPEN'
`;

/** A verdict's question. */
export const KEY = ['subjectId', 'kind', 'reference', 'lenderCode'] as const;

export const MARK_ANSWERED = `
  UPDATE lender_questions AS q
  SET status = 'ANSWERED', closed_at = ${NOW}, sent_sealed = NULL
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
    AS a (subject_id, kind, reference, lender_code)
  WHERE q.subject_id = ANY (ARRAY[a.subject_id]) AND q.kind = a.kind AND q.reference = a.reference
    AND q.lender_code = a.lender_code AND q.closed_at IS NULL
  RETURNING ${columns.selected(KEY, 'q')}
`;

export const STATES = `
  SELECT ${columns.selected(['subjectId', 'lenderCode', 'failures', 'attempts', 'isSessionOpen', 'isUnreachable'], 'q')},
    CASE WHEN q.closed_at IS NULL THEN 'OPEN' ELSE q.status END AS status
  FROM unnest($2::text[], $3::text[]) AS a (subject_id, reference)
  CROSS JOIN LATERAL (
    SELECT * FROM lender_questions
    WHERE subject_id = a.subject_id AND kind = $1 AND reference = a.reference OFFSET 0) AS q
  ORDER BY q.lender_code
`;

const head = (which: string) => `
  SELECT lender_code, next_attempt_at FROM lender_questions WHERE status = 'OPEN' ${which}
  ORDER BY lender_code, next_attempt_at LIMIT 1`;

// Jumps from lender to lender within the index, so its cost does not depend on how many questions wait.
const isAnyDue = (now: string) => `
  WITH RECURSIVE first AS (
    (${head('')})
    UNION ALL
    SELECT next.* FROM first
    CROSS JOIN LATERAL (${head('AND lender_code > first.lender_code')}) AS next
  )
  SELECT true FROM first WHERE next_attempt_at <= ${now} LIMIT 1
`;

export const DUE: DueWork = {
  ...dueRows({
    table: 'lender_questions',
    at: 'next_attempt_at',
    where: "status = 'OPEN'",
    isLeased: true,
  }),
  isDue: isAnyDue,
};

// A claim sets the next attempt to the lease's end; an earlier one is a request to ask sooner. Materialised, or both
// columns would read different times.
export const CLAIM = `
  WITH lease AS MATERIALIZED (SELECT app_now() + $2 * interval '1 second' AS until)
  UPDATE lender_questions AS claimed SET attempts = attempts + 1, lease_token = lease_token + 1,
    lease_until = lease.until, next_attempt_at = lease.until
  FROM lease
  WHERE id IN (
    SELECT due.id FROM unnest($3::text[], $4::integer[]) AS l (code, room)
    CROSS JOIN LATERAL (
      SELECT q.id, q.next_attempt_at FROM lender_questions AS q
      WHERE q.lender_code = l.code AND q.status = 'OPEN' AND q.next_attempt_at <= app_now()
        AND (q.lease_until IS NULL OR q.lease_until < app_now())
      ORDER BY q.next_attempt_at
      LIMIT l.room
      FOR UPDATE SKIP LOCKED
    ) AS due
    ORDER BY due.next_attempt_at LIMIT $1)
  RETURNING ${columns.selected(CLAIMED, 'claimed')}
`;

// Keeps a next attempt before the lease's end (see CLAIM). With `status = 'OPEN'`, PostgreSQL may read the whole
// index of open questions.
export const SETTLE = `
  WITH t AS MATERIALIZED (SELECT app_now() AS now)
  UPDATE lender_questions AS q SET lease_until = NULL,
    status = $3,
    closed_at = CASE $3 WHEN 'CLOSED' THEN t.now ELSE q.closed_at END,
    sent_sealed = CASE $3 WHEN 'OPEN' THEN coalesce(q.sent_sealed, $9) END,
    next_attempt_at = CASE
      WHEN $3 <> 'OPEN' THEN q.next_attempt_at
      WHEN q.next_attempt_at < q.lease_until
        THEN least(q.next_attempt_at, t.now + $4::float8 * interval '1 millisecond')
      ELSE t.now + $4 * interval '1 millisecond' END,
    failures = q.failures + CASE WHEN $5::text IS NULL THEN 0 ELSE 1 END,
    last_failure = coalesce($5, q.last_failure),
    is_session_open = coalesce($6, q.is_session_open),
    awaited_since = CASE WHEN $6 IS NOT TRUE THEN coalesce(q.awaited_since, t.now) END,
    overdue_at = CASE WHEN $6 IS NOT TRUE THEN q.overdue_at END,
    is_unreachable = $5 IS NOT NULL AND (q.is_unreachable OR $7::boolean),
    failing_since = CASE WHEN $5 IS NOT NULL THEN coalesce(q.failing_since, t.now) END,
    flagged_at = CASE WHEN $5 IS NOT NULL
      THEN coalesce(q.flagged_at, CASE WHEN $8::boolean THEN t.now END) END
  FROM t
  WHERE q.id = $1 AND q.lease_token = $2 AND q.status IS NOT DISTINCT FROM 'OPEN'
`;

export const KEEP_SENT = `
  UPDATE lender_questions SET sent_sealed = $3
  WHERE id = $1 AND lease_token = $2 AND status = 'OPEN' AND sent_sealed IS NULL
`;

const isOverdue = (wait: string) => `
  (awaited_since < ${NOW} - ${wait} AND (overdue_at IS NULL OR overdue_at < ${NOW} - ${wait}))`;

// The applicant's page says when the operator asks for a missing decision.
export const MARK_OVERDUE = `
  UPDATE lender_questions AS q SET overdue_at = ${NOW}
  WHERE id IN (
    SELECT id FROM lender_questions
    WHERE status = 'OPEN' AND (${isOverdue(`$1 * interval '1 hour'`)}
      OR kind = 'DECISION' AND ${isOverdue(`$3 * interval '1 second'`)})
    LIMIT $2
    FOR UPDATE SKIP LOCKED)
  RETURNING ${columns.selected(OVERDUE, 'q')}
`;

const stillOverdue = (subject: string) => `
  EXISTS (
    SELECT FROM lender_questions AS q
    WHERE q.status = 'OPEN' AND q.overdue_at IS NOT NULL AND q.${subject} = f.subject_id
      AND concat_ws(' ', q.lender_code, q.kind) = f.cause)`;

/** Of a flag `f`: none of its questions is still overdue. */
export const IS_ANSWERED = `
  NOT ${stillOverdue('subject_id')} AND NOT ${stillOverdue('lender_code')}`;

export const ERASURE_ALONE = `(kind = 'WITHDRAWAL' AND reference = 'ERASURE')`;

export const ERASE = `
  WITH erased AS (
    UPDATE lender_questions SET payload_sealed = NULL, sent_sealed = NULL,
      status = CASE status WHEN 'OPEN' THEN 'CLOSED' ELSE status END,
      closed_at = coalesce(closed_at, app_now())
    WHERE partner_id = $1 AND subject_id = $2 AND payload_sealed IS NOT NULL
      AND NOT (kind = 'WITHDRAWAL' AND status = 'OPEN') AND NOT ${ERASURE_ALONE}
    RETURNING kind
  )
  SELECT count(*) FILTER (WHERE kind <> 'WITHDRAWAL')::int AS count FROM erased
`;
