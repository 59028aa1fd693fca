import { type Language, translate } from '../platform/index.js';
import type { CreditReportTerms } from '../settings/index.js';

/**
 * What is said of a hard enquiry: it follows the choice, or the payment of an instant loan. Once the choice is made, its
 * lender may have made it already.
 */
const HARD = {
  CHOICE: 'steps.enquiry.hard',
  CHOSEN: 'steps.enquiry.hard.chosen',
  PAYMENT: 'instant.enquiry.hard',
} as const;

/** The moment of which a page speaks. */
export type EnquiryMoment = keyof typeof HARD;

/**
 * Which hard enquiries stay on the applicant's credit report, though saying no costs no money.
 * @param moment whether the fee is paid: the enquiry that follows it is then made, too
 */
export function enquiriesThatStay(
  terms: Partial<CreditReportTerms>,
  moment: 'BEFORE_PAYMENT' | 'PAID',
  lender: string,
  language: Language,
): string[] {
  if (moment === 'BEFORE_PAYMENT')
    return terms.forOffer === 'HARD'
      ? [translate(language, 'instant.enquiry.before', { lender })]
      : [];
  return hasHardEnquiry(terms) ? [translate(language, 'instant.enquiry.stays', { lender })] : [];
}

/** Whether a lender makes a hard enquiry, for its offer or after the choice: no fee that goes back undoes it. */
export function hasHardEnquiry({ forOffer, afterChoice }: Partial<CreditReportTerms>): boolean {
  return forOffer === 'HARD' || afterChoice === 'HARD';
}

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
