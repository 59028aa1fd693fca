import { Injectable } from '@nestjs/common';
import {
  LenderInbox,
  QUESTION_KINDS,
  type QuestionKind,
  QuestionOutbox,
} from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { answerIdOf, durableQuestion } from '../connector/durable-questions.js';
import type { PostedQuestionName } from '../protocol/questions.js';
import { CallbackRefused, notAsked, type ReadOf } from './read-callback.js';
import { MessageLog } from './message-log.js';

type NamedQuestion =
  | {
      /** The worker retries it until there is a verdict, which the inbox takes. */
      readonly isDurable: true;
      readonly subjectId: string;
      readonly kind: QuestionKind;
      readonly reference: string;
    }
  | { readonly isDurable: false; readonly subjectId: string };

const DIRECT: Readonly<Record<string, PostedQuestionName>> = {
  QUOTE: 'QUOTES',
  SELECTION: 'SELECTIONS',
  ACCOUNT: 'ACCOUNTS',
  SESSION: 'SESSIONS',
};

export function readQuestionId(id: string, name: PostedQuestionName): NamedQuestion | null {
  const [subjectId, kindText, ...rest] = id.split(':');
  const reference = rest.join(':');
  if (!subjectId || !kindText || !reference) return null;
  if (DIRECT[kindText] === name) return { isDurable: false, subjectId };
  const kind = QUESTION_KINDS.find((each) => each === kindText);
  if (!kind || durableQuestion(kind).name !== name) return null;
  return { isDurable: true, subjectId, kind, reference };
}

/** Each verdict after the first is kept and flagged. */
const MAX_ANSWERS = 5;
/** The first verdict may wait for its journey: a second one must not overtake it. */
const SECOND_VERDICT_MS = 5_000;

@Injectable()
export class AnswerIntake {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly inbox: LenderInbox,
    private readonly log: MessageLog,
  ) {}

  /** The first verdict counts, by call or callback. */
  async take(tx: Tx, lenderCode: string, callback: ReadOf<'ANSWERS'>): Promise<void> {
    const { body } = callback;
    const question = readQuestionId(body.questionId, body.question);
    if (!question) throw notAsked('question');
    if (!question.isDurable) return this.logOnly(tx, lenderCode, callback, question.subjectId);
    const { subjectId, kind, reference } = question;
    const asked = { lenderCode, subjectId, kind, reference };
    const partnerId = await this.questionOutbox.partnerOf(tx, asked);
    if (partnerId === null) throw notAsked('question');
    const answer = durableQuestion(kind).answer(body.answer);
    if (!answer) {
      throw new CallbackRefused(
        'invalid_request',
        'answer.evidence.step: must be the step of the question',
      );
    }
    const answerId = answerIdOf(body.questionId, body.answer);
    const others = await this.inbox.countOthers(tx, { ...asked, answerId });
    if (others >= MAX_ANSWERS) {
      throw new CallbackRefused(
        'key_reused',
        `This question already has ${MAX_ANSWERS} other answers`,
      );
    }
    const arrived = { ...asked, partnerId, answerId, answer };
    if (await this.inbox.receive(tx, arrived, others > 0 ? SECOND_VERDICT_MS : 0)) return;
    if (!(await this.inbox.isRepeated(tx, arrived))) throw new CallbackRefused('key_reused');
  }

  /** The caller gets the answer when it repeats the question, so this only logs the callback. */
  private async logOnly(
    tx: Tx,
    lenderCode: string,
    { body, json }: ReadOf<'ANSWERS'>,
    subjectId: string,
  ): Promise<void> {
    const partnerId = await this.questionOutbox.ownerOf(tx, lenderCode, subjectId);
    if (partnerId === null) throw notAsked('question');
    const messageId = answerIdOf(body.questionId, body.answer);
    const message = { lenderCode, kind: 'ANSWER', messageId, json, partnerId, subjectId } as const;
    await this.log.keep(tx, message, body);
  }
}
