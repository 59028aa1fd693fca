import { z } from 'zod';
import { Offer } from './offer.js';
import {
  amount,
  amountOrZero,
  applicationId,
  applicationReference,
  day,
  integer,
  loanReference,
  MAX_SUM,
  moment,
  named,
  questionId,
  reference,
  transferReference,
} from './primitives.js';
import { QUESTIONS, type PostedQuestionName } from './questions.js';
import { detail, loanEvent, revisionReason } from './words.js';

const callbackId = reference(
  'The lender’s id of this message, equal to `Idempotency-Key`. Repeats are deduplicated.',
  'nv-evt-902',
);

function answer<const Name extends PostedQuestionName>(name: Name) {
  return z.object({
    question: z.literal(name),
    questionId: questionId('The question that this verdict answers.'),
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- without it the union is lost on readers of `answer`.
    answer: QUESTIONS[name].verdict as (typeof QUESTIONS)[Name]['verdict'],
  });
}

export const AnswersBody = z
  .discriminatedUnion('question', [
    answer('OFFERS'),
    answer('QUOTES'),
    answer('SELECTIONS'),
    answer('SESSIONS'),
    answer('STEPS'),
    answer('ACCOUNTS'),
    answer('DISBURSEMENTS'),
    answer('DECISIONS'),
    answer('WITHDRAWALS'),
    answer('COOLING_OFF_EXITS'),
  ])
  .describe('The verdict on a question that was answered `202`.');

export const OfferRevisionsBody = z
  .object({
    id: callbackId,
    applicationId,
    applicationReference: applicationReference('The lender’s reference of the application.'),
    reason: revisionReason,
    detail,
    revisedAt: moment('When the offer was revised.'),
    offer: Offer,
  })
  .describe('A new offer under the same application.');

export const LoanEventsBody = z
  .object({
    id: callbackId,
    applicationId,
    loanReference: loanReference(),
    event: loanEvent,
    happenedAt: moment('When the event happened.'),
    amount: amount('The amount that was returned, or paid to exit the loan.').optional(),
    utr: transferReference.optional(),
    transferredTo: named('The new lender of the loan.').optional(),
    detail,
  })
  .describe('An event of a loan that was paid out.');

export const Payout = z
  .object({
    applicationId,
    loanReference: loanReference(),
    amount: amount('The amount paid out.', 19_508_000),
    utr: transferReference,
    paidAt: moment('When the money was sent.'),
  })
  .describe('One payout.');

export const StatementsBody = z
  .object({
    id: callbackId,
    day: day('The day in India.'),
    page: integer(1, 1000, 'Counts the pages of the day’s statement from 1.'),
    pages: integer(1, 1000, 'The number of pages; 1 on a day without payouts.'),
    payoutCount: integer(0, 500_000, 'The number of payouts of the whole day.'),
    payoutTotal: amountOrZero('The sum of payouts of the whole day.', MAX_SUM),
    payouts: z.array(Payout).max(500).describe('The payouts of this page.'),
  })
  .refine(({ page, pages }) => page <= pages, {
    path: ['page'],
    message: 'must be at most pages',
  })
  .describe('One day’s payouts.');

export interface Callback {
  readonly path: string;
  readonly request: z.ZodType;
  readonly summary: string;
  readonly description: string;
}

export const CALLBACKS = {
  ANSWERS: {
    path: '/answers',
    request: AnswersBody,
    summary: 'A verdict for a pending question',
    description:
      'Sends a verdict without waiting for the next question. Return the same verdict, with the same `answerId`, when ' +
      'the question is asked again; the first one counts. Its `Idempotency-Key` is `answerId`.',
  },
  OFFER_REVISIONS: {
    path: '/offer-revisions',
    request: OfferRevisionsBody,
    summary: 'A new offer under the same application',
    description:
      'Before the loan is signed, for example after a gold appraisal or a rate change. It needs a new Key Facts Statement and ' +
      'a new acknowledgement.',
  },
  LOAN_EVENTS: {
    path: '/loan-events',
    request: LoanEventsBody,
    summary: 'An event of a loan',
    description: 'Reports an event after the payout.',
  },
  STATEMENTS: {
    path: '/statements',
    request: StatementsBody,
    summary: 'One day’s payouts',
    description: 'For reconciliation, on the next day. Pages have at most 500 payouts.',
  },
} as const satisfies Record<string, Callback>;

export type CallbackName = keyof typeof CALLBACKS;

export type CallbackOf<Name extends CallbackName> = z.infer<(typeof CALLBACKS)[Name]['request']>;
