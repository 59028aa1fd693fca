import { Injectable, Logger } from '@nestjs/common';
import { Batcher, Database, isConnectionLost, type Tx } from '../platform/index.js';
import type { ClaimedQuestion, QuestionOutcome } from './claimed-question.js';
import { type ArrivedAnswer, LenderInbox } from './lender-inbox.js';

const MOST_TOGETHER = 64;
// Somebody may just be storing one of the answers; the others do not wait for long.
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;
/** How many transactions there are at a time of those that could not go with others. */
const MOST_ALONE = 4;

interface PutQuestion {
  readonly question: ClaimedQuestion;
  readonly outcome: QuestionOutcome;
}

/**
 * Records what came of the questions: answers go to the inbox, and the questions are closed or wait
 * for their next turn. What ends while a batch is being recorded is gathered into the next one, which
 * is one transaction. One that cannot be recorded, or whose question somebody holds, neither takes
 * the others with it nor keeps them waiting: it is then recorded by itself.
 */
@Injectable()
export class OutcomeRecorder {
  private readonly logger = new Logger(OutcomeRecorder.name);
  private readonly together = new Batcher<PutQuestion, boolean>({
    run: (put) => this.recordTogether(put),
    mostItems: MOST_TOGETHER,
    mostInFlight: 1,
  });
  private readonly alone = new Batcher<PutQuestion, void>({
    run: async ([one]) => [await this.recordAlone(one)],
    mostItems: 1,
    mostInFlight: MOST_ALONE,
  });

  constructor(
    private readonly database: Database,
    private readonly inbox: LenderInbox,
  ) {}

  /** @throws Error when it could not be recorded; the question will be put again after its lease */
  async record(question: ClaimedQuestion, outcome: QuestionOutcome): Promise<void> {
    const put = { question, outcome };
    if (!(await this.together.add(put))) await this.alone.add(put);
  }

  /**
   * A transaction that holds questions waits for no other: somebody who closes the questions of a
   * subject may have one of them and want the next.
   * @returns of each whether its question is settled: not so when somebody holds it, or when it is no
   *   longer ours to change, or when the whole batch could not be recorded
   */
  private async recordTogether(put: readonly PutQuestion[]): Promise<boolean[]> {
    try {
      const settled = await this.database.transaction(async (tx) => {
        await tx.execute(LOCK_TIMEOUT);
        return this.write(tx, put, SETTLE_FREE);
      });
      return put.map(({ question }) => settled.has(question.id));
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      this.logger.warn({ err: error, questions: put.length });
      return put.map(() => false);
    }
  }

  private async recordAlone(put: PutQuestion): Promise<void> {
    await this.database.transaction((tx) => this.write(tx, [put], SETTLE));
  }

  /**
   * The inbox before the questions, in the order of everyone who takes answers up: another order
   * would be a deadlock. An answer to a question that was closed meanwhile is kept, too.
   * @returns the ids of the questions that were settled
   */
  private async write(tx: Tx, put: readonly PutQuestion[], settle: string): Promise<Set<string>> {
    const answers = put.flatMap(answerOf);
    if (answers.length > 0) await this.inbox.receiveAll(tx, answers);
    const settled = await tx.query<{ id: string }>(settle, [
      put.map(({ question }) => question.id),
      put.map(({ question }) => question.lease_token),
      put.map(({ outcome }) => (outcome.kind === 'ANSWERED' ? null : outcome.waitMs)),
      put.map(({ outcome }) => (outcome.kind === 'FAILED' ? outcome.failure : null)),
      put.map(({ outcome }) => (outcome.kind === 'PENDING' ? outcome.isSessionOpen : null)),
    ]);
    return new Set(settled.map(({ id }) => id));
  }
}

function answerOf({ question, outcome }: PutQuestion): ArrivedAnswer[] {
  if (outcome.kind !== 'ANSWERED') return [];
  return [
    {
      lenderCode: question.lender_code,
      answerId: outcome.answerId,
      partnerId: question.partner_id,
      subjectId: question.subject_id,
      kind: question.kind,
      reference: question.reference,
      answer: outcome.answer,
    },
  ];
}

// A claim puts the next attempt at the end of the lease: whoever has the question asked sooner
// meanwhile puts it before that, and the next attempt keeps to it.
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
    is_session_open = coalesce(put.is_session_open, q.is_session_open)
  FROM put WHERE q.id = put.id
  RETURNING q.id
`;

const SETTLE = settle('');
const SETTLE_FREE = settle('SKIP LOCKED');
