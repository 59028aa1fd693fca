import { joined, say, type Shown } from '../../platform/index.js';
import type { CreditReportTerms } from '../../settings/index.js';

/** `CHOSEN`: the lender may already have enquired. */
export type EnquiryMoment = 'CHOICE' | 'CHOSEN';

/** For the `ui/callout` partial; may contain **strong** parts. */
export interface Notice {
  readonly text: Shown;
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
): Notice | null {
  switch (terms.creditReport?.afterChoice) {
    case 'NONE':
      return null;
    case 'HARD':
      return {
        text: joined([say(HARD[moment], { lender }), say('offers.enquiry.stays')]),
        tone: 'warn',
      };
    case 'SOFT':
      return { text: say('offers.enquiry.soft', { lender }) };
    default:
      return { text: say('offers.enquiry.unknown'), tone: 'warn' };
  }
}
