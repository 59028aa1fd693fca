import { describe, expect, it } from 'vitest';
import type { CreditReportTerms } from '../settings/index.js';
import { creditEnquiry, enquiriesThatStay, hasHardEnquiry } from './credit-enquiry.js';

const LENDER = 'Example Finance';

function termsWith(afterChoice: CreditReportTerms['afterChoice']) {
  return {
    creditReport: { bureaus: [], forOffer: 'SOFT', afterChoice } satisfies CreditReportTerms,
  };
}

describe('what going on means for the credit report', () => {
  it.each([
    ['HARD', 'CHOICE', `When you have chosen, ${LENDER} looks at your credit report with a hard`],
    [
      'HARD',
      'CHOSEN',
      `So ${LENDER} may have looked at your credit report with a hard enquiry already`,
    ],
    ['HARD', 'PAYMENT', `When you have paid, ${LENDER} looks at your credit report with a hard`],
    ['SOFT', 'CHOICE', `${LENDER} looks at your credit report with a soft enquiry. That does not`],
    ['SOFT', 'CHOSEN', `${LENDER} looks at your credit report with a soft enquiry. That does not`],
    ['SOFT', 'PAYMENT', `${LENDER} looks at your credit report with a soft enquiry. That does not`],
  ] as const)('is said of a %s enquiry after the %s', (afterChoice, after, text) => {
    expect(creditEnquiry(termsWith(afterChoice), after, LENDER, 'en')).toContain(text);
  });

  it('is nothing where no enquiry follows', () => {
    expect(creditEnquiry(termsWith('NONE'), 'CHOICE', LENDER, 'en')).toBeNull();
  });

  it.each([null, {}])('is said to be unknown where the terms do not say: %o', (terms) => {
    expect(creditEnquiry(terms, 'CHOICE', LENDER, 'en')).toBe(
      `We do not know how ${LENDER} asks for your credit report. Asking can lower your credit score.`,
    );
  });
});

describe('an enquiry that stays on the credit report', () => {
  it.each([
    ['HARD', 'SOFT', 'BEFORE_PAYMENT', 'has made for its offer'],
    ['HARD', 'NONE', 'PAID', 'also if you leave the loan'],
    ['SOFT', 'HARD', 'PAID', 'also if you leave the loan'],
  ] as const)(
    'is told of: %s for the offer, %s after the payment, seen %s',
    (forOffer, afterChoice, moment, text) => {
      const [said, ...more] = enquiriesThatStay({ forOffer, afterChoice }, moment, LENDER, 'en');
      expect(more).toEqual([]);
      expect(said).toContain(text);
      expect(said).toContain(LENDER);
      expect(hasHardEnquiry({ forOffer, afterChoice })).toBe(true);
    },
  );

  it.each([
    ['SOFT', 'HARD', 'BEFORE_PAYMENT'],
    ['SOFT', 'SOFT', 'PAID'],
    ['NONE', 'NONE', 'PAID'],
    [undefined, undefined, 'PAID'],
  ] as const)(
    'is none: %s for the offer, %s after the payment, seen %s',
    (forOffer, afterChoice, moment) => {
      expect(enquiriesThatStay({ forOffer, afterChoice }, moment, LENDER, 'en')).toEqual([]);
    },
  );
});
