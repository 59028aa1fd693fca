import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { CLAIMED, type ClaimedQuestion, type PutQuestion } from '../claimed-question.js';
import type { QuestionKind } from '../lender-port.js';
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
  'isSessionOpen',
] as const;

/** What a question starts with. */
export type NewQuestionRow = Pick<LenderQuestionRow, (typeof GIVEN)[number]>;

/** Which of a lender's questions on a subject is meant. */
export type QuestionKey = Pick<
  LenderQuestionRow,
  'subjectId' | 'kind' | 'reference' | 'lenderCode'
>;

/** How the questions of one subject and kind stand. */
export type QuestionState = Pick<
  LenderQuestionRow,
  'lenderCode' | 'status' | 'failures' | 'attempts' | 'isSessionOpen' | 'isUnreachable'
>;

/** For whom there is room. */
interface ClaimLimits {
  readonly questions: number;
  readonly leaseSeconds: number;
  /** How many more questions of each lender the claimer takes, by the lender's code. */
  readonly rooms: ReadonlyMap<string, number>;
}

@Injectable()
export class LenderQuestionsRepository {
  /** What `erase` empties. */
  static readonly PERSONAL_COLUMNS = columns.qualified(['payloadSealed']);

  constructor(private readonly database: Database) {}

  /** Each question once: the same one again is asked sooner, with what is known by then. */
  async put(
    tx: Tx,
    questions: readonly { readonly row: NewQuestionRow; readonly delayMs: number }[],
  ): Promise<void> {
    const rows = questions.map(({ row, delayMs }) => ({
      ...columns.toRecord(row),
      delay_ms: delayMs,
    }));
    await tx.execute(PUT, [JSON.stringify(rows)]);
  }

  async close(
    tx: Tx,
    subjectIds: readonly string[],
    kinds: readonly QuestionKind[],
  ): Promise<void> {
    await tx
      .repository(LenderQuestionRow)
      .update(
        { subjectId: In(subjectIds), kind: In(kinds), status: 'OPEN' },
        { status: 'CLOSED', closedAt: () => 'app_now()' },
      );
  }

  async markAnswered(tx: Tx, questions: readonly QuestionKey[]): Promise<void> {
    await tx.execute(MARK_ANSWERED, keysOf(questions));
  }

  async markUnreachable(tx: Tx, questions: readonly QuestionKey[]): Promise<void> {
    await tx.execute(MARK_UNREACHABLE, keysOf(questions));
  }

  /** An answer counts once it has been processed: while it waits in the inbox, nobody knows it. */
  async statesOf(
    tx: Tx,
    kind: QuestionKind,
    asked: readonly Pick<QuestionKey, 'subjectId' | 'reference'>[],
  ): Promise<ReadonlyMap<string, readonly QuestionState[]>> {
    const rows = await tx.query<QuestionState & Pick<QuestionKey, 'subjectId'>>(STATES, [
      kind,
      asked.map(({ subjectId }) => subjectId),
      asked.map(({ reference }) => reference),
    ]);
    return Map.groupBy(rows, ({ subjectId }) => subjectId);
  }

  /** A question that was put to the lender, whatever became of it; null when there is none. */
  async findAsked(
    tx: Tx,
    { lenderCode, subjectId, kind, reference }: QuestionKey,
  ): Promise<Pick<LenderQuestionRow, 'partnerId'> | null> {
    return tx.repository(LenderQuestionRow).findOne({
      select: { partnerId: true },
      where: { lenderCode, subjectId, kind, reference },
    });
  }

  /** Of these subjects those that the lender was asked anything about, with their partners. */
  async ownersOf(
    tx: Tx,
    lenderCode: string,
    subjectIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await tx.repository(LenderQuestionRow).find({
      select: { subjectId: true, partnerId: true },
      where: { lenderCode, subjectId: In([...subjectIds]) },
    });
    return new Map(rows.map(({ subjectId, partnerId }) => [subjectId, partnerId]));
  }

  /** The lenders that were asked and have answered none of the subject's questions of this kind. */
  async unanswered(tx: Tx, subjectId: string, kind: QuestionKind): Promise<string[]> {
    const rows = await tx.query<{ code: string }>(
      `SELECT lender_code AS code FROM lender_questions WHERE subject_id = $1 AND kind = $2
       GROUP BY lender_code HAVING bool_and(status <> 'ANSWERED') ORDER BY lender_code`,
      [subjectId, kind],
    );
    return rows.map(({ code }) => code);
  }

  /** The next questions that are due, each under a lease, oldest first. */
  async claim(limits: ClaimLimits): Promise<ClaimedQuestion[]> {
    const rooms = [...limits.rooms];
    return this.database.query<ClaimedQuestion>(CLAIM, [
      limits.questions,
      limits.leaseSeconds,
      rooms.map(([lenderCode]) => lenderCode),
      rooms.map(([, room]) => room),
    ]);
  }

  /**
   * Records what came of questions that were put under a lease.
   * @param held whether one that another transaction holds is waited for
   * @returns the ids of those that were still ours to change
   */
  async settle(
    tx: Tx,
    put: readonly PutQuestion[],
    held: 'WAIT' | 'SKIP',
  ): Promise<ReadonlySet<string>> {
    const settled = await tx.query<{ id: string }>(held === 'WAIT' ? SETTLE : SETTLE_FREE, [
      put.map(({ question }) => question.id),
      put.map(({ question }) => question.leaseToken),
      put.map(({ outcome }) => (outcome.kind === 'ANSWERED' ? null : outcome.waitMs)),
      put.map(({ outcome }) => (outcome.kind === 'FAILED' ? outcome.failure : null)),
      put.map(({ outcome }) => (outcome.kind === 'PENDING' ? outcome.isSessionOpen : null)),
    ]);
    return new Set(settled.map(({ id }) => id));
  }

  /** The withdrawals of a subject that are still to be put, held until the transaction ends. */
  async lockOpenWithdrawals(
    tx: Tx,
    partnerId: string,
    subjectId: string,
  ): Promise<Pick<ClaimedQuestion, 'id' | 'payloadSealed'>[]> {
    const rows = await tx.repository(LenderQuestionRow).find({
      select: { id: true, payloadSealed: true },
      where: { partnerId, subjectId, kind: 'WITHDRAWAL', status: 'OPEN' },
      lock: { mode: 'pessimistic_write' },
    });
    return rows as ClaimedQuestion[];
  }

  /** Of each lender that was told of the subject, what it was told last. */
  async newestToldOf(
    tx: Tx,
    partnerId: string,
    subjectId: string,
  ): Promise<Pick<ClaimedQuestion, 'lenderCode' | 'payloadSealed'>[]> {
    return tx.query(
      `SELECT DISTINCT ON (lender_code)
         ${columns.selected(undefined, ['lenderCode', 'payloadSealed'])}
       FROM lender_questions
       WHERE partner_id = $1 AND subject_id = $2 AND payload_sealed IS NOT NULL
         AND NOT ${ERASURE_ALONE}
       ORDER BY lender_code, created_at DESC, id DESC`,
      [partnerId, subjectId],
    );
  }

  async replacePayload(tx: Tx, id: string, payloadSealed: string): Promise<void> {
    await tx.repository(LenderQuestionRow).update({ id }, { payloadSealed });
  }

  /**
   * Erases the payloads of a subject's questions and closes those that are open, but for withdrawals
   * that are still to be put, and the word of an erasure, which names no applicant.
   * @returns how many had a payload
   */
  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    return tx.execute(ERASE, [partnerId, subjectId]);
  }
}

const PUT = `
  INSERT INTO lender_questions AS q (${columns.list(GIVEN)}, next_attempt_at)
  SELECT ${columns.list(GIVEN)}, app_now() + (asked.row ->> 'delay_ms')::integer * interval '1 millisecond'
  FROM jsonb_array_elements($1) AS asked (row),
    jsonb_populate_record(NULL::lender_questions, asked.row)
  ON CONFLICT (subject_id, kind, reference, lender_code) DO UPDATE
    SET next_attempt_at = least(q.next_attempt_at, excluded.next_attempt_at),
      is_session_open = excluded.is_session_open
    WHERE q.status = 'OPEN'
`;

function keysOf(questions: readonly QuestionKey[]): string[][] {
  return [
    questions.map(({ subjectId }) => subjectId),
    questions.map(({ kind }) => kind),
    questions.map(({ reference }) => reference),
    questions.map(({ lenderCode }) => lenderCode),
  ];
}

const mark = (changes: string) => `
  UPDATE lender_questions AS q SET ${changes}
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
    AS a (subject_id, kind, reference, lender_code)
  WHERE q.subject_id = a.subject_id AND q.kind = a.kind AND q.reference = a.reference
    AND q.lender_code = a.lender_code AND q.closed_at IS NULL
`;

const MARK_ANSWERED = mark(`status = 'ANSWERED', closed_at = app_now()`);
const MARK_UNREACHABLE = mark('is_unreachable = true');

const STATES = `
  SELECT ${columns.selected('q', ['subjectId', 'lenderCode', 'failures', 'attempts', 'isSessionOpen', 'isUnreachable'])},
    CASE WHEN q.closed_at IS NULL THEN 'OPEN' ELSE q.status END AS status
  FROM unnest($2::text[], $3::text[]) AS a (subject_id, reference)
  JOIN lender_questions AS q ON q.subject_id = a.subject_id AND q.kind = $1
    AND q.reference = a.reference
  ORDER BY q.lender_code
`;

// A claim puts the next attempt at the end of the lease, by which the recorder knows whether somebody
// has the question asked sooner meanwhile.
// Materialised, or the clock would be read once for each column, and the two would differ.
const CLAIM = `
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
  RETURNING ${columns.selected('claimed', CLAIMED)}
`;

// Whoever has a question asked sooner while it is claimed puts its next attempt before the end of the
// lease, and the next attempt keeps to it.
const settle = (waiting: string) => `
  WITH put AS MATERIALIZED (
    SELECT q.id, p.wait_ms IS NULL AS is_answered, p.failure, p.is_session_open,
      app_now() + p.wait_ms * interval '1 millisecond' AS next_attempt_at
    FROM unnest($1::text[], $2::bigint[], $3::float8[], $4::text[], $5::boolean[])
      AS p (id, lease_token, wait_ms, failure, is_session_open)
    JOIN lender_questions AS q
      ON q.id = p.id AND q.lease_token = p.lease_token AND q.status = 'OPEN'
    ORDER BY q.id
    FOR UPDATE OF q ${waiting}
  )
  UPDATE lender_questions AS q SET lease_until = NULL,
    status = CASE WHEN put.is_answered THEN 'ANSWERED' ELSE q.status END,
    next_attempt_at = CASE
      WHEN put.is_answered THEN q.next_attempt_at
      WHEN q.next_attempt_at < q.lease_until THEN least(q.next_attempt_at, put.next_attempt_at)
      ELSE put.next_attempt_at END,
    failures = q.failures + CASE WHEN put.failure IS NULL THEN 0 ELSE 1 END,
    last_failure = coalesce(put.failure, q.last_failure),
    is_session_open = coalesce(put.is_session_open, q.is_session_open),
    is_unreachable = q.is_unreachable AND put.failure IS NOT NULL
  FROM put WHERE q.id = put.id
  RETURNING q.id
`;

const SETTLE = settle('');
const SETTLE_FREE = settle('SKIP LOCKED');

const ERASURE_ALONE = `(kind = 'WITHDRAWAL' AND reference = 'ERASURE')`;

const ERASE = `
  UPDATE lender_questions SET payload_sealed = NULL,
    status = CASE status WHEN 'OPEN' THEN 'CLOSED' ELSE status END,
    closed_at = coalesce(closed_at, app_now())
  WHERE partner_id = $1 AND subject_id = $2 AND payload_sealed IS NOT NULL
    AND NOT (kind = 'WITHDRAWAL' AND status = 'OPEN') AND NOT ${ERASURE_ALONE}
`;
