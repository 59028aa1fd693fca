import { Injectable, Logger } from '@nestjs/common';
import { Batcher, Database, isConnectionLost, type Tx } from '../platform/index.js';
import type { ClaimedQuestion, PutQuestion, QuestionOutcome } from './claimed-question.js';
import { FailureFlags } from './failure-flags.js';
import { type ArrivedAnswer, LenderInbox } from './lender-inbox.js';
import { asksForOffers } from './lender-port.js';
import { OWN_ANSWERS } from './store/lender-inbox.repository.js';
import { LenderQuestionsRepository } from './store/lender-questions.repository.js';

const MAX_TOGETHER = 64;
// Another transaction may be storing one of the answers.
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;
/** Parallel transactions of questions that could not be recorded together. */
const MAX_ALONE = 4;

/**
 * Records the outcomes of questions: answers go to the inbox, questions are closed or rescheduled. Outcomes
 * that end while a batch is written share the next: a commit each would miss the floor of initiate (decision
 * 39). One that fails, or whose question is locked, is recorded on its own.
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

  /** @throws Error when it could not be recorded: the question is asked again after its lease */
  async record(
    question: ClaimedQuestion,
    outcome: QuestionOutcome,
    sentSealed: string | null = null,
  ): Promise<void> {
    const put = { question, outcome, sentSealed };
    if (!(await this.together.add(put))) await this.alone.add(put);
  }

  /**
   * Notices that a lender is unreachable go first, in their own transaction: beside answers the chains of
   * their loans would be locked in a second order, which can deadlock.
   * @returns of each whether its question is settled; false when it is locked, taken over, or the batch
   * failed
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
   * Waits for no lock: a transaction that closes a subject's questions may hold one and want the next.
   * @returns the ids of the settled questions
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
   * The inbox before the questions, as every transaction that processes answers: another order would
   * deadlock. An answer to a closed question is kept, too.
   * @returns the ids of the settled questions
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
    // No other transaction stores the same.
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

/** A subject that waits for several lenders checks whether it goes on without this one. */
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
