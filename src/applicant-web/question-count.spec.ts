import { describe, expect, it } from 'vitest';
import type { HostedJourneyView } from '../journeys/index.js';
import { questionOf, type QuestionPage } from './question-count.js';

const PERSONAL: Pick<HostedJourneyView, 'askedDetails' | 'steps'> = {
  askedDetails: [],
  steps: ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'],
};
const GOLD: Pick<HostedJourneyView, 'askedDetails' | 'steps'> = {
  askedDetails: ['name', 'income'],
  steps: ['OFFERS', 'BRANCH', 'KYC', 'BANK_ACCOUNT', 'ESIGN', 'DISBURSEMENT'],
};

function placesOf(view: typeof PERSONAL, pages: readonly QuestionPage[]): string[] {
  return pages.map((page) => {
    const count = questionOf(view, page);
    return `${count?.step} of ${count?.of}`;
  });
}

describe('the count of questions', () => {
  it('runs from the consent to the signature, without a gap', () => {
    expect(
      placesOf(PERSONAL, [
        'consent',
        'check',
        'offers',
        'confirm',
        'kyc',
        'bank-account',
        'mandate',
        'esign',
      ]),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((step) => `${step} of 8`));
  });

  it('counts the page of missing details once, and only the pages of the product', () => {
    expect(
      placesOf(GOLD, ['consent', 'details', 'check', 'offers', 'branch', 'kyc', 'esign']),
    ).toEqual([1, 2, 3, 4, 6, 7, 9].map((step) => `${step} of 9`));
  });

  it('leaves out the page of details where the partner gave them all', () => {
    expect(questionOf(PERSONAL, 'details')).toBeNull();
  });
});
