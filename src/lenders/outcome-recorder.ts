import { Injectable } from '@nestjs/common';
import { type NewFlag, NO_PARTNER, OperatorFlags } from '../operator-flags/index.js';
import { Batcher, Database, type Tx } from '../platform/index.js';
import type { ClaimedQuestion, PutQuestion, QuestionOutcome } from './claimed-question.js';
import { LenderInbox } from './lender-inbox.js';
import type { LenderAnswer } from './lender-port.js';
import { OWN_ANSWERS } from './store/lender-inbox.repository.js';
import { LenderQuestionsRepository } from './store/lender-questions.repository.js';

/** Parallel transactions; requests need the other connections. */
const MAX_AT_ONCE = 4;

@Injectable()
export class OutcomeRecorder {
  private readonly writes = new Batcher<PutQuestion, void>({
    run: async ([put]) => [await this.write(put)],
    maxItems: 1,
    maxInFlight: MAX_AT_ONCE,
  });

  constructor(
    private readonly database: Database,
    private readonly inbox: LenderInbox,
    private readonly questions: LenderQuestionsRepository,
    private readonly flags: OperatorFlags,
  ) {}

  /** @throws Error when not recorded: the question is asked again after its lease */
  record(
    question: ClaimedQuestion,
    outcome: QuestionOutcome,
    sentSealed: string | null = null,
  ): Promise<void> {
    return this.writes.add({ question, outcome, sentSealed });
  }

  /**
   * Locks the inbox before the question, as every transaction that processes answers; another order would deadlock.
   * An answer to a closed question is kept, too.
   */
  private write(put: PutQuestion): Promise<void> {
    const { question, outcome } = put;
    const receive = async (tx: Tx, answerId: string, answer: LenderAnswer) => {
      const { lenderCode, partnerId, subjectId, kind, reference } = question;
      const about = { lenderCode, partnerId, subjectId, kind, reference };
      await this.inbox.receive(tx, { ...about, answerId, answer });
    };
    return this.database.plannedTransaction(async (tx) => {
      if (outcome.kind === 'ANSWERED') await receive(tx, outcome.answerId, outcome.answer);
      if (!(await this.questions.settle(tx, put))) return;
      if (isUnreachable(put)) await receive(tx, ownAnswerId(question), { kind: 'UNREACHABLE' });
      const flag = failureFlag(put);
      if (flag) await this.flags.raise(tx, flag);
    });
  }
}

/** A subject waiting for several lenders may then continue without this one. */
function isUnreachable({ question, outcome }: PutQuestion): boolean {
  const isNews = outcome.kind === 'FAILED' && outcome.isSuspended && !question.isUnreachable;
  return isNews && question.kind === 'OFFERS';
}

function ownAnswerId({ id, leaseToken }: ClaimedQuestion): string {
  return `${OWN_ANSWERS}${id}/${leaseToken}`;
}

function failureFlag({ question, outcome }: PutQuestion): NewFlag | null {
  const { lenderCode, partnerId, subjectId, kind, reference } = question;
  const ofLender = { partnerId: NO_PARTNER, subjectId: lenderCode };
  const facts = { lenderCode, kind, reference, subjectId };
  if (outcome.kind === 'GIVEN_UP') {
    // A silent lender affects thousands of questions, so one flag covers all.
    const detail = { ...facts, failure: outcome.failure, since: question.createdAt };
    return { ...ofLender, kind: 'LENDER_SILENT', cause: ['GIVEN_UP', kind], detail };
  }
  if (outcome.kind !== 'FAILED' || outcome.flag === undefined) return null;
  const detail = { ...facts, failure: outcome.failure };
  // A bug here affects every question of this kind, so one flag covers all.
  const isOurs = outcome.flag === 'INVALID_QUESTION';
  const about = isOurs ? ofLender : { partnerId, subjectId };
  return { ...about, kind: outcome.flag, cause: [lenderCode, kind], detail };
}
