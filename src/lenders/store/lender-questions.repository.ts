import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { Columns, Database, type DueQuery, type Tx } from '../../platform/index.js';
import type { ClaimedQuestion, PutQuestion } from '../claimed-question.js';
import type { QuestionKind } from '../lender-port.js';
import { LenderQuestionRow } from './lender-question.entity.js';
import {
  CLAIM,
  DUE,
  ERASE,
  ERASURE_ALONE,
  type GIVEN,
  MARK_ANSWERED,
  MARK_OVERDUE,
  type OVERDUE,
  PUT,
  PUT_ROWS,
  SETTLE,
  SETTLE_FREE,
  STATES,
  STATUS_AFTER,
} from './question-statements.js';

const columns = new Columns(LenderQuestionRow);

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

export type OverdueQuestion = Pick<LenderQuestionRow, (typeof OVERDUE)[number]>;

/** The kinds that ask several lenders side by side, or that nobody waits for. */
export const OF_LENDER: ReadonlySet<QuestionKind> = new Set([
  'OFFERS',
  'INSTANT_OFFERS',
  'WITHDRAWAL',
]);

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
  static readonly PERSONAL_COLUMNS = columns.qualified(['payloadSealed', 'sentSealed']);

  /** Whether there is something for `claim`. */
  static readonly DUE: DueQuery = DUE;

  constructor(private readonly database: Database) {}

  /** Each question once: the same one again is asked sooner, with what is known by then. */
  async put(
    tx: Tx,
    questions: readonly { readonly row: NewQuestionRow; readonly delayMs: number }[],
  ): Promise<void> {
    const rows = questions.map(({ row, delayMs }) => ({ ...row, delay_ms: delayMs }));
    await tx.execute(PUT, PUT_ROWS.values(rows));
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
        { status: 'CLOSED', closedAt: () => 'app_now()', sentSealed: null },
      );
  }

  async markAnswered(tx: Tx, questions: readonly QuestionKey[]): Promise<void> {
    await tx.execute(MARK_ANSWERED, keysOf(questions));
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
  ): Promise<Pick<LenderQuestionRow, 'partnerId' | 'sentSealed'> | null> {
    return tx.repository(LenderQuestionRow).findOne({
      select: { partnerId: true, sentSealed: true },
      where: { lenderCode, subjectId, kind, reference },
    });
  }

  /** Of these subjects those that the lender was asked about, with their partners. */
  async ownersOf(
    tx: Tx,
    lenderCode: string,
    subjectIds: readonly string[],
    kinds: readonly QuestionKind[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await tx.repository(LenderQuestionRow).find({
      select: { subjectId: true, partnerId: true },
      where: { lenderCode, subjectId: In([...subjectIds]), kind: In([...kinds]) },
    });
    return new Map(rows.map(({ subjectId, partnerId }) => [subjectId, partnerId]));
  }

  /** Whether the applicant of a subject was erased. */
  async isErased(tx: Tx, subjectId: string): Promise<boolean> {
    return tx.repository(LenderQuestionRow).existsBy({ subjectId, payloadSealed: IsNull() });
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
      put.map(({ outcome }) => STATUS_AFTER[outcome.kind]),
      put.map(({ outcome }) => ('waitMs' in outcome ? outcome.waitMs : null)),
      put.map(({ outcome }) => ('failure' in outcome ? outcome.failure : null)),
      put.map(({ outcome }) => (outcome.kind === 'PENDING' ? outcome.isSessionOpen : null)),
      put.map(({ outcome }) => outcome.kind === 'FAILED' && outcome.isLeftAlone),
      put.map(({ outcome }) => outcome.kind === 'FAILED' && outcome.flag !== undefined),
      put.map(({ sentSealed }) => sentSealed ?? null),
    ]);
    return new Set(settled.map(({ id }) => id));
  }

  /** Takes questions whose answers are awaited this long, each again after as many hours. */
  markOverdue(tx: Tx, hours: number, most: number): Promise<OverdueQuestion[]> {
    return tx.query(MARK_OVERDUE, [hours, most]);
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
   * @returns how many had a payload that may name the applicant: a withdrawal's names nobody, and is
   *   erased later when it was still to be put
   */
  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    const [erased] = await tx.query<{ count: number }>(ERASE, [partnerId, subjectId]);
    return erased.count;
  }
}

function keysOf(questions: readonly QuestionKey[]): string[][] {
  return [
    questions.map(({ subjectId }) => subjectId),
    questions.map(({ kind }) => kind),
    questions.map(({ reference }) => reference),
    questions.map(({ lenderCode }) => lenderCode),
  ];
}
