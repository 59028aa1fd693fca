import { sha256 } from '../../platform/index.js';
import { LenderCallFailed } from '../client/lender-call-failed.js';
import { type PostedQuestionName, QUESTIONS, type RequestOf } from '../protocol/questions.js';

/** An id has at most 100 characters. */
const HASH_CHARACTERS = 8;

/** Adds a hash to the id, so that another body is another question; for questions that bind no one. */
export function withHashedId<Name extends 'QUOTES' | 'ACCOUNTS' | 'SESSIONS'>(
  request: RequestOf<Name>,
): RequestOf<Name> {
  const hash = sha256(JSON.stringify(request)).slice(0, HASH_CHARACTERS);
  return { ...request, questionId: `${request.questionId}:${hash}` };
}

/**
 * The body of a question, without fields that the protocol does not have.
 * @throws LenderCallFailed invalid_question
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
