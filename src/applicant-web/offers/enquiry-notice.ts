import { type Language, translate } from '../../platform/index.js';
import type { CreditReportTerms } from '../../settings/index.js';

/** `CHOSEN`: the lender may already have enquired. */
export type EnquiryMoment = 'CHOICE' | 'CHOSEN';

/** For the `ui/callout` partial; may contain **strong** parts. */
export interface Notice {
  readonly text: string;
  readonly tone?: 'warn';
}

const HARD: Readonly<Record<EnquiryMoment, string>> = {
  CHOICE: 'offers.enquiry.hard',
  CHOSEN: 'offers.enquiry.hard.chosen',
};

/** Null when the lender makes no enquiry after the choice. */
export function enquiryNotice(
  terms: { readonly creditReport?: CreditReportTerms },
  moment: EnquiryMoment,
  lender: string,
  language: Language,
): Notice | null {
  switch (terms.creditReport?.afterChoice) {
    case 'NONE':
      return null;
    case 'HARD':
      return {
        text: `${translate(language, HARD[moment], { lender })} ${translate(language, 'offers.enquiry.stays')}`,
        tone: 'warn',
      };
    case 'SOFT':
      return { text: translate(language, 'offers.enquiry.soft', { lender }) };
    default:
      return { text: translate(language, 'offers.enquiry.unknown'), tone: 'warn' };
  }
}
