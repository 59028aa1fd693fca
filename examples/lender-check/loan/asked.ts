import { NotRun } from '../case.ts';
import type { Profile } from '../profile.ts';
import { describe, type Exchange } from '../wire/lender-client.ts';
import type { QuestionName } from '../wire/messages.ts';
import type { ApplicantPages } from './applicant-pages.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A question with its bytes, which are the same on every repeat. */
export interface Question {
  readonly name: QuestionName;
  readonly id: string;
  readonly fields: Fields;
  readonly bytes: Buffer;
}

/** A question that was repeated until a verdict or the time limit. */
export interface Asked {
  readonly question: Question;
  readonly first: Exchange;
  readonly last: Exchange;
  /** The verdict, if there is one and it matches the document. */
  readonly verdict: Fields | null;
}

/** Puts questions for one application. */
export interface Asker {
  readonly profile: Profile;
  readonly parts: { readonly pages: ApplicantPages; readonly receiver: { readonly url: string } };
  question(name: QuestionName, fields: Fields): Question;
  ask(question: Question): Promise<Exchange>;
  settle(question: Question, begun?: Exchange): Promise<Asked>;
}

/** @throws NotRun unless the verdict is one of these words */
export function need(asked: Asked, ...words: readonly string[]): Fields {
  const { verdict, question, last } = asked;
  if (verdict && words.includes(String(verdict['verdict']))) return verdict;
  throw new NotRun(`it needs ${words.join(' or ')} to ${question.name}; got: ${describe(last)}`);
}
