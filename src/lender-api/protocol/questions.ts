import type { z } from 'zod';
import * as requests from './requests.js';
import * as verdicts from './verdicts.js';

export interface Question {
  readonly method: 'GET' | 'POST';
  /** Below the lender's base address. */
  readonly path: string;
  readonly request: z.ZodType | null;
  readonly verdict: z.ZodType;
  readonly summary: string;
  readonly description: string;
}

export const QUESTIONS = {
  OFFERS: {
    method: 'POST',
    path: '/offers',
    request: requests.OffersRequest,
    verdict: verdicts.OffersVerdict,
    summary: 'Make offers',
    description:
      'Asked of every lender that serves the product, side by side. The applicant waits: what is ' +
      'known within seconds is shown at once; `usefulUntil` says when it is too late. An offer of an instant ' +
      'loan (`subject.kind` is `INSTANT_LOAN`) binds the lender: the applicant pays its fees on the strength ' +
      'of it, by its `validUntil`.',
  },
  QUOTES: {
    method: 'POST',
    path: '/quotes',
    request: requests.QuotesRequest,
    verdict: verdicts.QuotesVerdict,
    summary: 'Quote an offer for another amount',
    description:
      'The applicant looks at another amount between `minimumAmount` and `maximumAmount`. The answer is ' +
      'the whole offer for that amount, under the same reference. It has no effect at the lender.',
  },
  SELECTIONS: {
    method: 'POST',
    path: '/selections',
    request: requests.SelectionsRequest,
    verdict: verdicts.SelectionsVerdict,
    summary: 'Take the choice of an offer',
    description:
      'The applicant has chosen. From here on the lender knows the application by a reference of its ' +
      'own, which later questions carry.',
  },
  SESSIONS: {
    method: 'POST',
    path: '/sessions',
    request: requests.SessionsRequest,
    verdict: verdicts.SessionsVerdict,
    summary: 'Open a page for a step',
    description:
      'The applicant is about to be sent to the lender’s page, or its provider’s, for KYC, the mandate or ' +
      'the signature. At the end the page sends the browser to `returnUrl`. A session that has run ' +
      'out is asked for anew, under another key and with the same `attempt`.',
  },
  STEPS: {
    method: 'POST',
    path: '/steps',
    request: requests.StepsRequest,
    verdict: verdicts.StepsVerdict,
    summary: 'Say how a step stands',
    description:
      'Asked until there is a verdict on this attempt. `202` while the applicant is on the page ' +
      '(`waitingFor`: `APPLICANT`) or the provider decides (`LENDER`). A step that another step’s visit ' +
      'has covered is asked about, too.',
  },
  ACCOUNTS: {
    method: 'POST',
    path: '/accounts',
    request: requests.AccountsRequest,
    verdict: verdicts.AccountsVerdict,
    summary: 'Check the bank account',
    description: 'The applicant has named the account that the loan is to be paid to.',
  },
  DISBURSEMENTS: {
    method: 'POST',
    path: '/disbursements',
    request: requests.DisbursementsRequest,
    verdict: verdicts.DisbursementsVerdict,
    summary: 'Pay out',
    description:
      'Every step is passed. The first time it asks to pay out, every time it asks how the payout ' +
      'stands; one key pays once. The amount must be `netPayout`.',
  },
  DECISIONS: {
    method: 'POST',
    path: '/decisions',
    request: requests.DecisionsRequest,
    verdict: verdicts.DecisionsVerdict,
    summary: 'Decide on an instant loan',
    description:
      'The only question of a product without steps, beside its offers: the applicant has chosen the ' +
      'offer that `offerReference` names and paid its fees. A lender that declines now gives them back, ' +
      'unless its terms say otherwise.',
  },
  WITHDRAWALS: {
    method: 'POST',
    path: '/withdrawals',
    request: requests.WithdrawalsRequest,
    verdict: verdicts.WithdrawalsVerdict,
    summary: 'Take note that nothing comes of it',
    description:
      'Told to the chosen lender and to those that were not chosen. It always is `NOTED`, also when ' +
      'the lender knows nothing of it.',
  },
  COOLING_OFF_EXITS: {
    method: 'POST',
    path: '/cooling-off-exits',
    request: requests.CoolingOffExitsRequest,
    verdict: verdicts.CoolingOffExitsVerdict,
    summary: 'Let the borrower leave the loan',
    description: 'The borrower leaves the loan within the cooling-off period, without a penalty.',
  },
  LOANS: {
    method: 'GET',
    path: '/loans/{loanReference}',
    request: null,
    verdict: verdicts.LoansVerdict,
    summary: 'Say how a loan stands',
    description:
      'Without a body and without `Idempotency-Key`; the signature is over no bytes. The ' +
      'reference `rinpath-ping` is never a loan: the answer to it is `NOT_FOUND`, and shows that both ' +
      'sides understand each other.',
  },
} as const satisfies Record<string, Question>;

export type QuestionName = keyof typeof QUESTIONS;

export type PostedQuestionName = Exclude<QuestionName, 'LOANS'>;

export type RequestOf<Name extends PostedQuestionName> = z.infer<
  (typeof QUESTIONS)[Name]['request']
>;

export type VerdictOf<Name extends QuestionName> = z.infer<(typeof QUESTIONS)[Name]['verdict']>;
