import { type Language, translate } from '../platform/index.js';
import type { CreditReportTerms } from '../settings/index.js';

/**
 * What is said of a hard enquiry: it follows the choice. Once the choice is made, its
 * lender may have made it already.
 */
const HARD = {
  CHOICE: 'steps.enquiry.hard',
  CHOSEN: 'steps.enquiry.hard.chosen',
} as const;

/** The moment of which a page speaks. */
export type EnquiryMoment = keyof typeof HARD;

/**
 * What going on means for the applicant's credit report.
 * @param terms of the offer; absent, or silent about it, where it is not known how the lender asks
 * @returns null where the lender makes no enquiry any more
 */
export function creditEnquiry(
  terms: { readonly creditReport?: CreditReportTerms } | null,
  after: EnquiryMoment,
  lender: string,
  language: Language,
): string | null {
  switch (terms?.creditReport?.afterChoice) {
    case 'NONE':
      return null;
    case 'HARD':
      return translate(language, HARD[after], { lender });
    case 'SOFT':
      return translate(language, 'steps.enquiry.soft', { lender });
    default:
      return translate(language, 'steps.enquiry.unknown', { lender });
  }
}
