import { describe, expect, it } from 'vitest';
import type { CreditReportTerms } from '../settings/index.js';
import { creditEnquiry } from './credit-enquiry.js';

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
    ['SOFT', 'CHOICE', `${LENDER} looks at your credit report with a soft enquiry. That does not`],
    ['SOFT', 'CHOSEN', `${LENDER} looks at your credit report with a soft enquiry. That does not`],
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
