import type { PartnerConsent, SignedRequest } from '../../consents/index.js';
import type { LoanAmountSource } from '../../leads/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import type { Language } from '../../platform/index.js';
import type { Lender, Product } from '../../settings/index.js';

export interface WellFormedApplication {
  readonly product: Product;
  readonly loanAmount: Paise;
  readonly loanAmountSource: LoanAmountSource;
  readonly applicant: LenderApplicant;
  readonly consent: PartnerConsent;
  readonly cameBy: SignedRequest;
  /** At least one. */
  readonly lenders: readonly Lender[];
  readonly smsLanguage: Language;
}
