import { Injectable, Logger } from '@nestjs/common';
import { Batcher, Database, isConnectionLost, type Tx } from '../platform/index.js';
import type { ClaimedQuestion, PutQuestion, QuestionOutcome } from './claimed-question.js';
import { FailureFlags } from './failure-flags.js';
import { type ArrivedAnswer, LenderInbox } from './lender-inbox.js';
import { asksForOffers } from './lender-port.js';
import { OWN_ANSWERS } from './store/lender-inbox.repository.js';
import { LenderQuestionsRepository } from './store/lender-questions.repository.js';

const MAX_TOGETHER = 64;
// Somebody may just be storing one of the answers; the others do not wait for long.
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;
/** How many transactions there are at a time of those that could not go with others. */
const MAX_ALONE = 4;

/**
 * Records what came of the questions: answers go to the inbox, and the questions are closed or wait
 * for their next turn. What ends while a batch is being recorded is gathered into the next one, which
 * is one transaction, or two. One that cannot be recorded, or whose question somebody holds, neither takes
 * the others with it nor keeps them waiting: it is then recorded by itself.
 */
@Injectable()
export class OutcomeRecorder {
  private readonly logger = new Logger(OutcomeRecorder.name);
  private readonly together = new Batcher<PutQuestion, boolean>({
    run: (put) => this.recordTogether(put),
    maxItems: MAX_TOGETHER,
    maxInFlight: 1,
  });
  private readonly alone = new Batcher<PutQuestion, void>({
    run: async ([one]) => [await this.recordAlone(one)],
    maxItems: 1,
    maxInFlight: MAX_ALONE,
  });

  constructor(
    private readonly database: Database,
    private readonly inbox: LenderInbox,
    private readonly questions: LenderQuestionsRepository,
    private readonly flags: FailureFlags,
  ) {}

  /** @throws Error when it could not be recorded; the question will be put again after its lease */
  async record(
    question: ClaimedQuestion,
    outcome: QuestionOutcome,
    sentSealed: string | null = null,
  ): Promise<void> {
    const put = { question, outcome, sentSealed };
    if (!(await this.together.add(put))) await this.alone.add(put);
  }

  /**
   * Those of which it is noted that their lender is unreachable go first, by themselves: with answers in one
   * transaction the chains of their loans would be locked in two turns, and others may have them the other way round.
   * @returns of each whether its question is settled: not so when somebody holds it, or when it is no
   *   longer ours to change, or when what went together could not be recorded
   */
  private async recordTogether(put: readonly PutQuestion[]): Promise<boolean[]> {
    const unreachable = put.filter((one) => unreachableIn(one).length > 0);
    const others = put.filter((one) => unreachableIn(one).length === 0);
    const settled = new Set<string>();
    for (const group of [unreachable, others].filter(({ length }) => length > 0)) {
      for (const id of await this.settle(group)) settled.add(id);
    }
    return put.map(({ question }) => settled.has(question.id));
  }

  /**
   * A transaction that holds questions waits for no other: somebody who closes the questions of a
   * subject may have one of them and want the next.
   * @returns the ids of the questions that were settled
   */
  private async settle(put: readonly PutQuestion[]): Promise<ReadonlySet<string>> {
    try {
      return await this.database.plannedTransaction(async (tx) => {
        await tx.execute(LOCK_TIMEOUT);
        return this.write(tx, put, 'SKIP');
      });
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      this.logger.warn({ err: error, questions: put.length });
      return new Set();
    }
  }

  private async recordAlone(put: PutQuestion): Promise<void> {
    await this.database.transaction((tx) => this.write(tx, [put], 'WAIT'));
  }

  /**
   * The inbox before the questions, in the order of everyone who processes answers: another order
   * would be a deadlock. An answer to a question that was closed meanwhile is kept, too.
   * @returns the ids of the questions that were settled
   */
  private async write(
    tx: Tx,
    put: readonly PutQuestion[],
    held: 'WAIT' | 'SKIP',
  ): Promise<ReadonlySet<string>> {
    const answers = put.flatMap(arrivalsOf);
    if (answers.length > 0) await this.inbox.receiveAll(tx, answers);
    const settled = await this.questions.settle(tx, put, held);
    const ours = put.filter(({ question }) => settled.has(question.id));
    const unreachable = ours.flatMap(unreachableIn);
    // Nobody else can store the same.
    if (unreachable.length > 0) await this.inbox.receiveAll(tx, unreachable);
    await this.flags.raise(tx, ours);
    return settled;
  }
}

function arrivalsOf({ question, outcome }: PutQuestion): ArrivedAnswer[] {
  const { lenderCode, partnerId, subjectId, kind, reference } = question;
  if (outcome.kind !== 'ANSWERED') return [];
  const { answerId, answer } = outcome;
  return [{ lenderCode, partnerId, subjectId, kind, reference, answerId, answer }];
}

/** Who waits for several lenders side by side is to look whether it goes on without this one. */
function unreachableIn({ question, outcome }: PutQuestion): ArrivedAnswer[] {
  const { lenderCode, partnerId, subjectId, kind, reference, isUnreachable } = question;
  const isNews = outcome.kind === 'FAILED' && outcome.isLeftAlone && !isUnreachable;
  if (!asksForOffers(kind) || !isNews) return [];
  const answerId = ownAnswerId(question);
  const answer = { kind: 'UNREACHABLE' } as const;
  return [{ lenderCode, partnerId, subjectId, kind, reference, answerId, answer }];
}

function ownAnswerId({ id, leaseToken }: ClaimedQuestion): string {
  return `${OWN_ANSWERS}${id}/${leaseToken}`;
}
