import { Injectable } from '@nestjs/common';
import { Columns, Database, type DueWork, type Tx } from '../../platform/index.js';
import type { ClaimedQuestion, PutQuestion } from '../claimed-question.js';
import type { QuestionKind } from '../lender-port.js';
import { LenderQuestionRow } from './lender-question.entity.js';
import {
  CLAIM,
  DUE,
  ERASE,
  ERASURE_ALONE,
  KEEP_SENT,
  MARK_OVERDUE,
  type OVERDUE,
  SETTLE,
  STATUS_AFTER,
} from './question-statements.js';

const columns = new Columns(LenderQuestionRow);

export type OverdueQuestion = Pick<LenderQuestionRow, (typeof OVERDUE)[number]>;

/** Kinds that ask several lenders at once, or for whose answer no caller waits. */
export const OF_LENDER: ReadonlySet<QuestionKind> = new Set(['OFFERS', 'WITHDRAWAL']);

interface ClaimLimits {
  readonly questions: number;
  readonly leaseSeconds: number;
  readonly rooms: ReadonlyMap<string, number>;
}

@Injectable()
export class LenderQuestionsRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['payloadSealed', 'sentSealed']);

  static readonly DUE: DueWork = DUE;

  constructor(private readonly database: Database) {}

  /** Oldest first. */
  async claim(limits: ClaimLimits): Promise<ClaimedQuestion[]> {
    const rooms = [...limits.rooms];
    return this.database.query(CLAIM, [
      limits.questions,
      limits.leaseSeconds,
      rooms.map(([lenderCode]) => lenderCode),
      rooms.map(([, room]) => room),
    ]);
  }

  /** @returns false when the question is closed, or another worker has taken it over */
  async settle(tx: Tx, { question, outcome, sentSealed }: PutQuestion): Promise<boolean> {
    const settled = await tx.execute(SETTLE, [
      question.id,
      question.leaseToken,
      STATUS_AFTER[outcome.kind],
      'waitMs' in outcome ? outcome.waitMs : null,
      'failure' in outcome ? outcome.failure : null,
      outcome.kind === 'PENDING' ? outcome.isSessionOpen : null,
      outcome.kind === 'FAILED' && outcome.isSuspended,
      outcome.kind === 'FAILED' && outcome.flag !== undefined,
      sentSealed,
    ]);
    return settled > 0;
  }

  /** @returns false when it is closed, taken over, or already sent */
  async keepSent(
    { id, leaseToken }: Pick<ClaimedQuestion, 'id' | 'leaseToken'>,
    sentSealed: string,
  ): Promise<boolean> {
    const kept = await this.database.transaction((tx) =>
      tx.execute(KEEP_SENT, [id, leaseToken, sentSealed]),
    );
    return kept > 0;
  }

  /**
   * Takes questions unanswered for the given hours; each again after the same time.
   * @param decisionSeconds replaces the hours for a decision
   */
  markOverdue(
    tx: Tx,
    hours: number,
    decisionSeconds: number,
    most: number,
  ): Promise<OverdueQuestion[]> {
    return tx.query(MARK_OVERDUE, [hours, most, decisionSeconds]);
  }

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

  async newestAskedOf(
    tx: Tx,
    partnerId: string,
    subjectId: string,
  ): Promise<Pick<ClaimedQuestion, 'lenderCode' | 'payloadSealed'>[]> {
    return tx.query(
      `SELECT DISTINCT ON (lender_code)
         ${columns.selected(['lenderCode', 'payloadSealed'])}
       FROM lender_questions
       WHERE partner_id = $1 AND subject_id = $2 AND payload_sealed IS NOT NULL
         AND NOT ${ERASURE_ALONE}
       ORDER BY lender_code, created_at DESC, id DESC`,
      [partnerId, subjectId],
    );
  }

  async replacePayload(tx: Tx, id: string, payloadSealed: string): Promise<void> {
    await tx.update(LenderQuestionRow, { id }, { payloadSealed });
  }

  /**
   * Also closes open questions, except withdrawals and erasure notices, which name no applicant.
   * @returns how many payloads may have named the applicant
   */
  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    const [erased] = await tx.query<{ count: number }>(ERASE, [partnerId, subjectId]);
    return erased.count;
  }
}
