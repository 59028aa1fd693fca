import { type QuestionKind, QUESTION_KINDS } from '../../lenders/index.js';
import { durableQuestion } from '../connector/durable-questions.js';
import type { PostedQuestionName } from '../protocol/questions.js';

/** A question of ours, read from its id. */
export type NamedQuestion =
  | {
      /** It is put again until there is an answer, which the inbox takes. */
      readonly isDurable: true;
      readonly subjectId: string;
      readonly kind: QuestionKind;
      readonly reference: string;
    }
  /** Somebody waits for it, and it is put again under the same id when it must be. */
  | { readonly isDurable: false; readonly subjectId: string };

/** The questions that somebody waits for, as their ids name them. */
const DIRECT: Readonly<Record<string, PostedQuestionName>> = {
  QUOTE: 'QUOTES',
  SELECTION: 'SELECTIONS',
  ACCOUNT: 'ACCOUNTS',
  SESSION: 'SESSIONS',
};

/**
 * Reads a question's id, as `LenderGateway` makes it.
 * @returns null when it is not the id of a question of this name
 */
export function readQuestionId(id: string, name: PostedQuestionName): NamedQuestion | null {
  const [subjectId, kindText, ...rest] = id.split(':');
  const reference = rest.join(':');
  if (!subjectId || !kindText || !reference) return null;
  if (DIRECT[kindText] === name) return { isDurable: false, subjectId };
  const kind = QUESTION_KINDS.find((each) => each === kindText);
  if (!kind || durableQuestion(kind).name !== name) return null;
  return { isDurable: true, subjectId, kind, reference };
}
