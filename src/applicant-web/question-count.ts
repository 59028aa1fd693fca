import type { DetailName, HostedJourneyView } from '../journeys/index.js';

type JourneyStep = HostedJourneyView['steps'][number];

/** A page that asks the applicant for something; those that wait or tell are not counted. */
export type QuestionPage =
  | 'consent'
  | DetailName
  | 'check'
  | 'offers'
  | 'amount'
  | 'confirm'
  | 'branch'
  | 'kyc'
  | 'bank-account'
  | 'mandate'
  | 'esign';

const PAGES_OF_STEP: Record<JourneyStep, readonly QuestionPage[]> = {
  OFFERS: ['offers', 'amount', 'confirm'],
  BRANCH: ['branch'],
  KYC: ['kyc'],
  BANK_ACCOUNT: ['bank-account'],
  MANDATE: ['mandate'],
  ESIGN: ['esign'],
  DISBURSEMENT: [],
};

/** Where a page stands among the questions of a journey, from 1. */
export interface QuestionCount {
  readonly step: number;
  readonly of: number;
}

/**
 * "Question 3 of 9", counted over the pages that this journey really has: the details that the
 * partner had not given, and the steps of its product. Null for a page that is none of them, such as
 * a detail that is only being corrected.
 */
export function questionOf(
  { askedDetails, steps }: Pick<HostedJourneyView, 'askedDetails' | 'steps'>,
  page: QuestionPage,
): QuestionCount | null {
  const pages: QuestionPage[] = [
    'consent',
    ...askedDetails,
    'check',
    ...steps.flatMap((step) => PAGES_OF_STEP[step]),
  ];
  const index = pages.indexOf(page);
  return index < 0 ? null : { step: index + 1, of: pages.length };
}
