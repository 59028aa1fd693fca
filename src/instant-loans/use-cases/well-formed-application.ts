import type { PartnerConsent, SignedRequest } from '../../consents/index.js';
import type { LoanAmountSource } from '../../leads/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import type { Language } from '../../platform/index.js';
import type { Lender, Product } from '../../settings/index.js';

/** What is asked for, looked through. */
export interface WellFormedApplication {
  readonly product: Product;
  readonly loanAmount: Paise;
  readonly loanAmountSource: LoanAmountSource;
  readonly applicant: LenderApplicant;
  /** What the partner says of the applicant's consent, and with which request. */
  readonly consent: PartnerConsent;
  readonly cameBy: SignedRequest;
  /** Those that are asked for offers, at least one. */
  readonly lenders: readonly Lender[];
  /** Of the text message with the link. */
  readonly smsLanguage: Language;
}
