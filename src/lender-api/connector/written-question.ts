import { type CallNames, SentBody } from '../../lenders/index.js';
import { sha256 } from '../../platform/index.js';
import type { Lender } from '../../settings/index.js';
import { type CallFailure, LenderCallFailed } from '../client/lender-call-failed.js';
import type { PostedQuestion } from '../client/lender-client.js';
import { type PostedQuestionName, QUESTIONS, type RequestOf } from '../protocol/questions.js';

/** An id has 100 characters at most. */
const HASH_CHARACTERS = 8;

/** After these the lender does not have the question under its id. */
const NOT_TAKEN: ReadonlySet<CallFailure> = new Set(['invalid_question', 'refused']);

/** A question of which the lender is told, and how it was told before. */
export interface Told {
  readonly id: string;
  readonly lender: Lender;
  readonly subjectId: string;
  readonly sent?: SentBody;
  readonly names?: CallNames;
}

/** A question that is put again as it was put before, whatever has changed since. */
export async function asSentBefore<Answer>(
  { id, subjectId, sent = new SentBody(), names = { question: id } }: Omit<Told, 'lender'>,
  write: () => string,
  ask: (question: PostedQuestion) => Promise<Answer>,
): Promise<Answer> {
  const body = () => {
    const text = sent.before ?? write();
    sent.sending(text);
    return text;
  };
  names.question = id;
  try {
    return await ask({ questionId: id, subjectId, body, names });
  } catch (error) {
    if (error instanceof LenderCallFailed) {
      if (NOT_TAKEN.has(error.failure)) sent.wasNotTaken();
      error.isOwnMistake = error.failure === 'invalid_question';
    }
    throw error;
  }
}

/**
 * A question that binds nobody and may be put any number of times: what it says is part of its id, so
 * that another one is another question.
 */
export function withHashedId<Name extends 'QUOTES' | 'ACCOUNTS' | 'SESSIONS'>(
  request: RequestOf<Name>,
): RequestOf<Name> {
  const hash = sha256(JSON.stringify(request)).slice(0, HASH_CHARACTERS);
  return { ...request, questionId: `${request.questionId}:${hash}` };
}

/**
 * In the protocol's words: what is not of the protocol is not told.
 * @throws LenderCallFailed when it does not hold, and so is not sent
 */
export function written<Name extends PostedQuestionName>(
  name: Name,
  question: RequestOf<Name>,
): string {
  const checked = QUESTIONS[name].request.safeParse(question);
  if (checked.success) return JSON.stringify(checked.data);
  const places = checked.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new LenderCallFailed('invalid_question', `the question does not hold: ${places}`);
}
