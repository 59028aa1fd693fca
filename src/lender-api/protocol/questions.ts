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
      'All lenders that serve the product are asked at the same time. The applicant waits, and sees answers of the first ' +
      'seconds at once; after `usefulUntil` an answer is too late. An offer for an instant ' +
      'loan (`subject.kind` is `INSTANT_LOAN`) binds the lender: the applicant relies on it to pay the fees ' +
      'before its `validUntil`.',
  },
  ELIGIBILITIES: {
    method: 'POST',
    path: '/eligibilities',
    request: requests.EligibilitiesRequest,
    verdict: verdicts.EligibilitiesVerdict,
    summary: 'Say whether an offer is likely',
    description:
      'Optional: asked only if the configuration has `remote.eligibility`. Answer by your published rules within ' +
      '2 seconds, body included. Never make an enquiry at a credit bureau for it, not even a soft one. Asked ' +
      'once, without an application: anything but a verdict, `202` included, is `UNKNOWN`. It has no effect on ' +
      'a later `POST /offers`.',
  },
  QUOTES: {
    method: 'POST',
    path: '/quotes',
    request: requests.QuotesRequest,
    verdict: verdicts.QuotesVerdict,
    summary: 'Quote an offer for another amount',
    description:
      'The applicant considers another amount between `minimumAmount` and `maximumAmount`. The answer is ' +
      'the whole offer for that amount, with the same reference. The question has no effect at the lender.',
  },
  SELECTIONS: {
    method: 'POST',
    path: '/selections',
    request: requests.SelectionsRequest,
    verdict: verdicts.SelectionsVerdict,
    summary: 'Accept the choice of an offer',
    description:
      'The applicant has chosen. The lender now names the application by its own ' +
      'reference, which later questions carry.',
  },
  SESSIONS: {
    method: 'POST',
    path: '/sessions',
    request: requests.SessionsRequest,
    verdict: verdicts.SessionsVerdict,
    summary: 'Open a page for a step',
    description:
      'The applicant is about to visit the lender’s or its provider’s page for KYC, the mandate or ' +
      'the signature. At the end the page sends the browser to `returnUrl`. For an expired ' +
      'session the question is asked again, with a new key and the same `attempt`.',
  },
  STEPS: {
    method: 'POST',
    path: '/steps',
    request: requests.StepsRequest,
    verdict: verdicts.StepsVerdict,
    summary: 'Return the status of a step',
    description:
      'Asked until this attempt has a verdict. Answer `202` while the applicant is on the page ' +
      '(`waitingFor`: `APPLICANT`) or the provider decides (`LENDER`). A step covered by the visit of another step ' +
      'is also asked about.',
  },
  ACCOUNTS: {
    method: 'POST',
    path: '/accounts',
    request: requests.AccountsRequest,
    verdict: verdicts.AccountsVerdict,
    summary: 'Check the bank account',
    description: 'The applicant entered the account for the payout.',
  },
  DISBURSEMENTS: {
    method: 'POST',
    path: '/disbursements',
    request: requests.DisbursementsRequest,
    verdict: verdicts.DisbursementsVerdict,
    summary: 'Pay out',
    description:
      'Every step is passed. The first question requests the payout; each repeat asks for its ' +
      'status. One key pays once. The amount must be `netPayout`.',
  },
  DECISIONS: {
    method: 'POST',
    path: '/decisions',
    request: requests.DecisionsRequest,
    verdict: verdicts.DecisionsVerdict,
    summary: 'Decide on an instant loan',
    description:
      'After `POST /offers`, the only question of a product without steps: the applicant has chosen the ' +
      'offer in `offerReference` and paid its fees. A lender that declines now must refund them, ' +
      'unless its terms say otherwise.',
  },
  WITHDRAWALS: {
    method: 'POST',
    path: '/withdrawals',
    request: requests.WithdrawalsRequest,
    verdict: verdicts.WithdrawalsVerdict,
    summary: 'Note that an application or offer has ended',
    description:
      'Sent to the chosen lender and to the others. The verdict is always `NOTED`, even if ' +
      'the lender does not know the application.',
  },
  COOLING_OFF_EXITS: {
    method: 'POST',
    path: '/cooling-off-exits',
    request: requests.CoolingOffExitsRequest,
    verdict: verdicts.CoolingOffExitsVerdict,
    summary: 'Let the borrower exit the loan',
    description: 'The borrower exits the loan within the cooling-off period, without penalty.',
  },
  LOANS: {
    method: 'GET',
    path: '/loans/{loanReference}',
    request: null,
    verdict: verdicts.LoansVerdict,
    summary: 'Return the status of a loan',
    description:
      'Without a body and `Idempotency-Key`; the signature covers no bytes. The ' +
      'reference `rinpath-ping` is never a loan: the verdict `NOT_FOUND` shows that both ' +
      'sides understand each other.',
  },
} as const satisfies Record<string, Question>;

export type QuestionName = keyof typeof QUESTIONS;

export type PostedQuestionName = Exclude<QuestionName, 'LOANS'>;

export type RequestOf<Name extends PostedQuestionName> = z.infer<
  (typeof QUESTIONS)[Name]['request']
>;

export type VerdictOf<Name extends QuestionName> = z.infer<(typeof QUESTIONS)[Name]['verdict']>;
