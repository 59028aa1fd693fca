import type { Fields, FieldReader } from './fields.ts';
import type { LenderTerms } from './lender-terms.ts';

/** The path of each question, and its name in what is told about it. */
export const QUESTIONS = {
  offers: 'OFFERS',
  quotes: 'QUOTES',
  selections: 'SELECTIONS',
  sessions: 'SESSIONS',
  steps: 'STEPS',
  accounts: 'ACCOUNTS',
  disbursements: 'DISBURSEMENTS',
  decisions: 'DECISIONS',
  withdrawals: 'WITHDRAWALS',
  'cooling-off-exits': 'COOLING_OFF_EXITS',
} as const;

export type QuestionPath = keyof typeof QUESTIONS;

export interface Lender extends LenderTerms {
  /** Its place among the lenders of this process, from 0, and whether it is the last. */
  readonly position: number;
  readonly isLast: boolean;
  readonly passesUnvisitedSteps: boolean;
  /** The address that its calls begin with. */
  readonly url: string;
  /** The address that its pages begin with, for a browser. */
  readonly pagesUrl: string;
}

/** One asking of a question. */
export interface Question {
  readonly lender: Lender;
  readonly key: string;
  readonly body: FieldReader;
  /** When it was asked first. */
  readonly askedAt: Date;
  /** From 1. */
  readonly timesAsked: number;
  /** The lender's signature over the statement that a selection names. */
  readonly keyFactsSignature: string;
}

export type Outcome =
  | { readonly kind: 'VERDICT'; readonly verdict: Fields & { readonly verdict: string } }
  | { readonly kind: 'WAITS_FOR_LENDER'; readonly dueAt: Date }
  | { readonly kind: 'WAITS_FOR_APPLICANT' }
  /** Nothing is known, not even whether it will be: the question has to be put again. */
  | { readonly kind: 'UNAVAILABLE' };

/** What a lender does with a question: called in a transaction, as often as it takes to decide. */
export type Decide = (question: Question) => Outcome;

export function verdict(word: string, more: Fields = {}): Outcome {
  return { kind: 'VERDICT', verdict: { verdict: word, ...more } };
}

export function inSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}
