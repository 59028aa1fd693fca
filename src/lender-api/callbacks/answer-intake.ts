import { Injectable } from '@nestjs/common';
import {
  JOURNEY_QUESTION_KINDS,
  type LenderAnswer,
  LenderInbox,
  QuestionOutbox,
} from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { answerIdOf, ANSWERS_OF } from '../connector/answers-of.js';
import type { CallbackOf } from '../protocol/callbacks.js';
import { CallbackRefused, notAsked } from './callback-refused.js';
import { MessageLog } from './message-log.js';
import { readQuestionId } from './question-ids.js';
import type { ReadOf } from './read-callback.js';

/**
 * A question has one verdict. Others after it are kept and put before the operator, each of them: so many
 * at most, or a lender could fill the books and an applicant's page.
 */
const MAX_ANSWERS = 5;

/** Takes verdicts in on questions that were pending. */
@Injectable()
export class AnswerIntake {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly inbox: LenderInbox,
    private readonly log: MessageLog,
  ) {}

  /** The same way as a verdict that was asked for; the first of the two counts. */
  async take(tx: Tx, lenderCode: string, callback: ReadOf<'ANSWERS'>): Promise<void> {
    const { body } = callback;
    const question = readQuestionId(body.questionId, body.question);
    if (!question) throw notAsked('question');
    if (!question.isDurable) return this.keepDirect(tx, lenderCode, callback, question.subjectId);
    const { subjectId, kind, reference } = question;
    const asked = { lenderCode, subjectId, kind, reference };
    const partnerId = await this.questionOutbox.askedFor(tx, asked);
    if (partnerId === null) throw notAsked('question');
    const answer = answerIn(body, kind);
    const answerId = answerIdOf(body.questionId, body.answer);
    if ((await this.inbox.countOthers(tx, { ...asked, answerId })) >= MAX_ANSWERS) {
      throw new CallbackRefused('key_reused', 'This question has been answered often enough');
    }
    await this.inbox.receive(tx, { ...asked, partnerId, answerId, answer });
  }

  /**
   * A question that somebody waits for is put again under the same id when its answer was not known,
   * and is answered then: what is told of it is kept, and nothing more.
   */
  private async keepDirect(
    tx: Tx,
    lenderCode: string,
    { id: messageId, body, told }: ReadOf<'ANSWERS'>,
    subjectId: string,
  ): Promise<void> {
    const owners = await this.questionOutbox.ownersOf(
      tx,
      lenderCode,
      [subjectId],
      JOURNEY_QUESTION_KINDS,
    );
    const partnerId = owners.get(subjectId);
    if (partnerId === undefined) throw notAsked('question');
    const message = { lenderCode, kind: 'ANSWER', messageId, told, partnerId, subjectId } as const;
    await this.log.keep(tx, message, body);
  }
}

/** @throws CallbackRefused invalid_request for the evidence of another step */
function answerIn(body: CallbackOf<'ANSWERS'>, kind: string): LenderAnswer {
  switch (body.question) {
    case 'OFFERS':
      return kind === 'INSTANT_OFFERS'
        ? ANSWERS_OF.INSTANT_OFFERS(body.answer)
        : ANSWERS_OF.OFFERS(body.answer);
    case 'STEPS': {
      const { answer } = body;
      if (answer.verdict === 'PASSED' && answer.evidence.step !== kind) {
        throw new CallbackRefused('invalid_request', 'answer.evidence.step: is another step');
      }
      return ANSWERS_OF.STEPS(answer);
    }
    case 'DISBURSEMENTS':
      return ANSWERS_OF.DISBURSEMENTS(body.answer);
    case 'DECISIONS':
      return ANSWERS_OF.DECISIONS(body.answer);
    case 'WITHDRAWALS':
      return ANSWERS_OF.WITHDRAWALS(body.answer);
    default:
      throw notAsked('question');
  }
}
