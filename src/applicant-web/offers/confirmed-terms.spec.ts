import { describe, expect, it } from 'vitest';
import { translate, written } from '../../platform/index.js';
import type { CreditReportTerms } from '../../settings/index.js';
import { enquiryNotice } from './confirmed-terms.js';

const LENDER = 'Example Finance';

function termsWith(afterChoice: CreditReportTerms['afterChoice']) {
  return {
    creditReport: { bureaus: [], forOffer: 'SOFT', afterChoice } satisfies CreditReportTerms,
  };
}

describe('what a choice means for the credit report', () => {
  it.each([
    ['HARD', 'CHOICE', ['offers.enquiry.hard', 'offers.enquiry.stays'], 'warn'],
    ['HARD', 'CHOSEN', ['offers.enquiry.hard.chosen', 'offers.enquiry.stays'], 'warn'],
    ['SOFT', 'CHOICE', ['offers.enquiry.soft'], undefined],
    ['SOFT', 'CHOSEN', ['offers.enquiry.soft'], undefined],
  ] as const)('is stated of a %s enquiry after the %s', (afterChoice, moment, keys, tone) => {
    const notice = written(enquiryNotice(termsWith(afterChoice), moment, LENDER), 'en');
    const text = keys.map((key) => translate('en', key, { lender: LENDER })).join(' ');
    expect([notice?.text, notice?.tone]).toEqual([text, tone]);
  });

  it('says of a hard enquiry that it can lower the score and stays', () => {
    for (const moment of ['CHOICE', 'CHOSEN'] as const) {
      const { text } = written(enquiryNotice(termsWith('HARD'), moment, LENDER)!, 'en');
      expect(text).toMatch(/hard enquiry.*stays on your credit report and can lower your score/);
    }
  });

  it('is nothing where no enquiry follows', () => {
    expect(enquiryNotice(termsWith('NONE'), 'CHOICE', LENDER)).toBeNull();
  });

  it('is a warning that it is not known where the terms do not say', () => {
    const notice = written(enquiryNotice({}, 'CHOICE', LENDER), 'en');
    expect(notice).toEqual({ text: translate('en', 'offers.enquiry.unknown'), tone: 'warn' });
  });
});
