import type { JourneyStep, RedirectStep } from '../journey-steps/index.js';
import type { FeeTerm, LtvSlab, Paise } from '../loans/index.js';
import type { OwnTexts } from './own-texts.js';
import type { LenderKind } from './remote-lender.js';

/** For an instant loan's fee, when the lender declines. */
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
  /** For borrowers; absent: unknown. */
  contact?: LenderContact;
  /** Of the loan agreement: its number or text. */
  recoveryAgentsClause: string;
  /** Of the loan agreement. */
  grievanceRedressalClause: string;
  /** Or securitised. */
  mayBeTransferred: boolean;
  /** A service provider as recovery agent; null: none. */
  recoveryAgentLsp: string | null;
  /** With the RBI; absent: unknown. */
  registration?: string;
  /** In running text; absent: the legal name. */
  shortName?: string;
  /** SHA-256 (hex) of the logo; absent: a default mark is shown. */
  logoVersion?: string;
  /** Absent: that of the lender's kind. */
  ombudsman?: Ombudsman;
  /** Absent: the consent says that it is unknown. */
  creditReport?: CreditReportTerms;
  /** After this step a hosted applicant cannot change the offer; absent: at signing. */
  bindsAfter?: BindingStep;
  /** Maximum debit, in percent of the instalment; absent: unknown. */
  mandateLimitPercent?: number;
  /** For instant loans; absent: refunded. */
  feeOnDecline?: FeeOnDecline;
  /** Translations, products' texts included. */
  texts?: OwnTexts;
  /** At most one per step; absent: unknown. */
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
  /** For an unpaid instalment; absent: unknown. */
  unpaidCharges?: UnpaidCharge[];
  /** Without a penalty. */
  coolingOffDays: number;
  /** Calendar days; at least five, to cover three working days. */
  offerValidDays: number;
  gold?: GoldTerms;
  /** Published by the lender; absent: unknown. */
  eligibility?: EligibilityRules;
}

export const EMPLOYMENT_TYPES = ['salaried', 'selfEmployed'] as const;
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[number];

interface TermRange {
  minimum: number;
  maximum: number;
}

/** An absent field is no condition; an absent range is that of the product's terms. */
export interface EligibilityRules {
  minimumMonthlyIncome?: Paise;
  /** The highest amount, in monthly incomes. */
  maximumMonthlyIncomes?: number;
  employmentTypes?: EmploymentType[];
  /** The first digits of PIN codes. */
  pinPrefixes?: string[];
  annualRatePercent?: TermRange;
  tenureMonths?: TermRange;
}

/** Depends on an event; the lender words it. */
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

export interface UnpaidCharge {
  /** The contingent charge's English name. */
  name: string;
  /** Percent of the instalment; added to `flat`; at least one is set. */
  percentOfInstalment?: number;
  /** Paise, before tax. */
  flat?: Paise;
  /** Percent; absent: none. */
  gstPercent?: number;
  every: UnpaidInterval;
  /** Absent: pages show the lender's text. */
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

interface GoldTerms {
  pricePerGram: Paise;
  /** Absent: the RBI's. */
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

/** For absent fields, pages show the RBI's rules. */
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
type Weekday = (typeof WEEKDAYS)[number];

export interface OpeningHours {
  days: Weekday[];
  /** HH:MM in India. */
  opens: string;
  closes: string;
}

export interface LenderBranch {
  id: string;
  /** The lender's own id. Only a branch from an offer has one. */
  reference?: string;
  name: string;
  address: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Absent: unknown. */
  hours?: OpeningHours[];
}

/**
 * Where to complain after the lender: RBI Ombudsman, National Housing Bank, or (NONE) the RBI's
 * consumer education and protection cell.
 */
export const OMBUDSMEN = ['RBI_CMS', 'NHB', 'NONE'] as const;

export type Ombudsman = (typeof OMBUDSMEN)[number];

/** The RBI's Integrated Ombudsman Scheme excludes housing finance companies. */
const BY_KIND: Readonly<Record<LenderKind, Ombudsman>> = {
  BANK: 'RBI_CMS',
  SMALL_FINANCE_BANK: 'RBI_CMS',
  REGIONAL_RURAL_BANK: 'RBI_CMS',
  COOPERATIVE_BANK: 'RBI_CMS',
  NBFC: 'RBI_CMS',
  NBFC_MFI: 'RBI_CMS',
  HOUSING_FINANCE_COMPANY: 'NHB',
};

interface Known {
  readonly ombudsman?: Ombudsman;
  readonly lenderKind?: LenderKind;
}

/** Configured, or of the kind; RBI_CMS for an unknown kind. */
export function ombudsmanOf({ ombudsman, lenderKind }: Known): Ombudsman {
  return ombudsman ?? (lenderKind ? BY_KIND[lenderKind] : 'RBI_CMS');
}
