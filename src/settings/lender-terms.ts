import type { JourneyStep, RedirectStep } from '../journey-steps/index.js';
import type { Ombudsman } from './ombudsman.js';
import type { OwnTexts } from './own-texts.js';
import type { FeeTerm, LtvSlab, Paise } from '../loans/index.js';

/** Of an instant loan's fee, when the lender then declines. */
export const FEES_ON_DECLINE = ['REFUND', 'KEPT'] as const;
export type FeeOnDecline = (typeof FEES_ON_DECLINE)[number];

/** Steps before the signature after which an offer may bind. */
export const BINDING_STEPS = ['KYC', 'BANK_ACCOUNT', 'MANDATE'] as const satisfies JourneyStep[];
export type BindingStep = (typeof BINDING_STEPS)[number];

/** Registered by the RBI. */
export const CREDIT_BUREAUS = ['CIBIL', 'EXPERIAN', 'EQUIFAX', 'CRIF_HIGH_MARK'] as const;
export type CreditBureau = (typeof CREDIT_BUREAUS)[number];

/** A hard enquiry may lower the score. */
export const CREDIT_ENQUIRIES = ['NONE', 'SOFT', 'HARD'] as const;
export type CreditEnquiry = (typeof CREDIT_ENQUIRIES)[number];

export interface CreditReportTerms {
  bureaus: CreditBureau[];
  forOffer: CreditEnquiry;
  afterChoice: CreditEnquiry;
}

export interface LenderTerms {
  /** By product code. */
  products: Record<string, ProductTerms>;
  branches: LenderBranch[];
  grievanceOfficer: GrievanceOfficer;
  /** For borrowers; left out: unknown. */
  contact?: LenderContact;
  /** Of the loan agreement: its number or text. */
  recoveryAgentsClause: string;
  /** Of the loan agreement. */
  grievanceRedressalClause: string;
  /** Or securitised. */
  mayBeTransferred: boolean;
  /** A service provider as recovery agent; null: none. */
  recoveryAgentLsp: string | null;
  /** With the RBI; left out: unknown. */
  registration?: string;
  /** In running text; left out: the legal name. */
  shortName?: string;
  /** SHA-256 (hex) of its logo; left out: its mark is shown. */
  logoVersion?: string;
  /** Left out: that of the lender's kind. */
  ombudsman?: Ombudsman;
  /** Left out: the consent says that it is unknown. */
  creditReport?: CreditReportTerms;
  /** The step after which a hosted applicant can no longer change the offer; left out: at signing. */
  bindsAfter?: BindingStep;
  /** The most of one debit, in percent of the instalment; left out: unknown. */
  mandateLimitPercent?: number;
  /** Of an instant loan; left out: refunded. */
  feeOnDecline?: FeeOnDecline;
  /** Translations, products' texts included. */
  texts?: OwnTexts;
  /** At most one a step; left out: unknown. */
  providers?: StepProvider[];
}

export interface StepProvider {
  step: RedirectStep;
  name: string;
  /** In the browser's address bar. */
  host: string;
}

export interface ProductTerms {
  /** Percent a year on the reducing balance. */
  annualRatePercent: number;
  tenureMonths: number;
  minimumAmount: Paise;
  maximumAmount: Paise;
  fees: FeeTerm[];
  contingentCharges: ContingentCharge[];
  /** For an unpaid instalment; left out: unknown. */
  unpaidCharges?: UnpaidCharge[];
  /** Without a penalty. */
  coolingOffDays: number;
  /** Calendar days; at least five, to cover three working days. */
  offerValidDays: number;
  /** For loans against gold. */
  gold?: GoldTerms;
}

/** Depends on an event; the texts are the lender's. */
export interface ContingentCharge {
  name: string;
  /** The amount or rate, and when it applies. */
  description: string;
}

/** For each month late, or each time. */
export const UNPAID_INTERVALS = ['MONTH', 'TIME'] as const;
export type UnpaidInterval = (typeof UNPAID_INTERVALS)[number];

export const UNPAID_CAUSES = ['LATE', 'BOUNCED'] as const;
export type UnpaidCause = (typeof UNPAID_CAUSES)[number];

/** A contingent charge's amount for an unpaid instalment. */
export interface UnpaidCharge {
  /** The contingent charge's English name. */
  name: string;
  /** Percent of the instalment; added to `flat`; at least one is set. */
  percentOfInstalment?: number;
  /** Paise, before tax. */
  flat?: Paise;
  /** Percent; left out: none. */
  gstPercent?: number;
  every: UnpaidInterval;
  /** Left out: pages show the lender's own text. */
  cause?: UnpaidCause;
}

export interface GrievanceOfficer {
  name: string;
  phone: string;
  email: string;
}

export interface LenderContact {
  phone: string;
  email: string;
}

export interface GoldTerms {
  pricePerGram: Paise;
  /** Left out: the RBI's. */
  slabs?: LtvSlab[];
  pledge?: PledgeTerms;
}

export const GOLD_DOCUMENTS = [
  'IDENTITY',
  'ADDRESS',
  'PAN',
  'PHOTOGRAPH',
  'PURCHASE_BILL',
] as const;
export type GoldDocument = (typeof GOLD_DOCUMENTS)[number];

/** Of pledged gold; for what is left out, pages show the RBI's rules. */
export interface PledgeTerms {
  documents?: GoldDocument[];
  /** After full repayment; 0: the same day. */
  returnWithinWorkingDays?: number;
  /** For each day of the lender's delay. */
  lateReturnPerDay?: Paise;
  /** Calendar days between the notice and the auction. */
  auctionNoticeDays?: number;
  /** The valuation's price without a loan, tax included; 0: free. */
  valuationWithoutLoan?: Paise;
}

export const WEEKDAYS = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface OpeningHours {
  days: Weekday[];
  /** HH:MM in India. */
  opens: string;
  closes: string;
}

export interface LenderBranch {
  id: string;
  /** The lender's own id, for a branch from its offer. */
  reference?: string;
  name: string;
  address: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Left out: unknown. */
  hours?: OpeningHours[];
}
