import { Injectable } from '@nestjs/common';
import { JOURNEY_QUESTION_KINDS, LenderInbox, QuestionOutbox } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { answerIdOf, durableQuestion } from '../connector/durable-questions.js';
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
    const answer = durableQuestion(kind).answer(body.answer);
    if (!answer) {
      throw new CallbackRefused('invalid_request', 'answer.evidence.step: is another step');
    }
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
