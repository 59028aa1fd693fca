import type { Fields, FieldReader } from './fields.ts';
import type { LenderTerms } from './lender-terms.ts';

/** The path of each question, and its name in messages. */
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
  eligibilities: 'ELIGIBILITIES',
} as const;

export type QuestionPath = keyof typeof QUESTIONS;

export interface Lender extends LenderTerms {
  /** Its index among the lenders of this process, and whether it is the last. */
  readonly position: number;
  readonly isLast: boolean;
  readonly passesUnvisitedSteps: boolean;
  /** The base address of its calls. */
  readonly url: string;
  /** The base address of its pages, for a browser. */
  readonly pagesUrl: string;
}

/** One request of a question. */
export interface Question {
  readonly lender: Lender;
  readonly key: string;
  readonly body: FieldReader;
  /** Time of the first request. */
  readonly askedAt: Date;
  /** From 1. */
  readonly timesAsked: number;
  /** The lender's signature over the selected statement. */
  readonly keyFactsSignature: string;
}

export type Outcome =
  | { readonly kind: 'VERDICT'; readonly verdict: Fields & { readonly verdict: string } }
  | { readonly kind: 'WAITS_FOR_LENDER'; readonly dueAt: Date }
  | { readonly kind: 'WAITS_FOR_APPLICANT' }
  /** Nothing is known: the question must be repeated. */
  | { readonly kind: 'UNAVAILABLE' };

/** Decides a question; called in a transaction, as often as needed. */
export type Decide = (question: Question) => Outcome;

export function verdict(word: string, more: Fields = {}): Outcome {
  return { kind: 'VERDICT', verdict: { verdict: word, ...more } };
}

export function inSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}
