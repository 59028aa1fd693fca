import type { JourneyStep, RedirectStep } from '../journey-steps/index.js';
import type { Ombudsman } from './ombudsman.js';
import type { OwnTexts } from './own-texts.js';
import type { FeeTerm, LtvSlab, Paise } from '../loans/index.js';

/** What becomes of an instant loan's fee when the lender then does not lend. */
export const FEES_ON_DECLINE = ['REFUND', 'KEPT'] as const;
export type FeeOnDecline = (typeof FEES_ON_DECLINE)[number];

/** The steps after which a lender's terms can bind an applicant to its offer: those before the signature. */
export const BINDING_STEPS = ['KYC', 'BANK_ACCOUNT', 'MANDATE'] as const satisfies JourneyStep[];
export type BindingStep = (typeof BINDING_STEPS)[number];

/** The credit information companies that the RBI has registered. */
export const CREDIT_BUREAUS = ['CIBIL', 'EXPERIAN', 'EQUIFAX', 'CRIF_HIGH_MARK'] as const;
export type CreditBureau = (typeof CREDIT_BUREAUS)[number];

/** How a bureau is asked: a soft enquiry leaves the score as it is, a hard one can lower it. */
export const CREDIT_ENQUIRIES = ['NONE', 'SOFT', 'HARD'] as const;
export type CreditEnquiry = (typeof CREDIT_ENQUIRIES)[number];

/** How a lender asks for an applicant's credit report. */
export interface CreditReportTerms {
  /** One or more. */
  bureaus: CreditBureau[];
  forOffer: CreditEnquiry;
  afterChoice: CreditEnquiry;
}

export interface LenderTerms {
  /** By product code; a product that is not here is not served. */
  products: Record<string, ProductTerms>;
  branches: LenderBranch[];
  grievanceOfficer: GrievanceOfficer;
  /** Where borrowers reach the lender about their loan; left out: the configuration does not say. */
  contact?: LenderContact;
  /** The clause of the loan agreement on recovery agents: its number or its text. */
  recoveryAgentsClause: string;
  /** The clause of the loan agreement on grievance redressal. */
  grievanceRedressalClause: string;
  /** Whether a loan may be transferred to other lenders or securitised. */
  mayBeTransferred: boolean;
  /** The service provider that may approach the borrower as recovery agent; null: none does. */
  recoveryAgentLsp: string | null;
  /** The number under which the RBI has registered the lender; left out: the configuration does not say. */
  registration?: string;
  /** What running text calls it; left out: its legal name. */
  shortName?: string;
  /** SHA-256 (hex) of its logo; left out: pages show its mark. */
  logoVersion?: string;
  /** Left out: that of the lender's kind. */
  ombudsman?: Ombudsman;
  /** Left out: the configuration does not say, and the consent says that it is not known. */
  creditReport?: CreditReportTerms;
  /** The step after which a hosted applicant can no longer choose another offer; left out: until they sign. */
  bindsAfter?: BindingStep;
  /** The most that one debit of a mandate may have, in percent of the instalment; left out: the configuration does not say. */
  mandateLimitPercent?: number;
  /** Of an instant loan; left out: it goes back. */
  feeOnDecline?: FeeOnDecline;
  /** Its texts in other languages than English, those of its products included. */
  texts?: OwnTexts;
  /** At most one a step; left out: the configuration does not say. */
  providers?: StepProvider[];
}

/** On whose page applicants do a redirect step. */
export interface StepProvider {
  step: RedirectStep;
  name: string;
  /** What the browser's address bar shows as the page opens. */
  host: string;
}

/** What a lender asks for one product. */
export interface ProductTerms {
  /** Percent a year on the reducing balance. */
  annualRatePercent: number;
  tenureMonths: number;
  minimumAmount: Paise;
  maximumAmount: Paise;
  fees: FeeTerm[];
  contingentCharges: ContingentCharge[];
  /** Those of them that an unpaid instalment costs; left out: the configuration does not say. */
  unpaidCharges?: UnpaidCharge[];
  /** Days in which the loan can be left without a penalty. */
  coolingOffDays: number;
  /** Calendar days, five or more, so that it is never less than three working days. */
  offerValidDays: number;
  /** For loans against gold alone. */
  gold?: GoldTerms;
}

/** A charge that falls due only if something happens; both texts are the lender's. */
export interface ContingentCharge {
  name: string;
  /** The amount or rate and when it applies. */
  description: string;
}

/** How often an unpaid instalment costs its charge: for each month that it is late, or each time. */
export const UNPAID_INTERVALS = ['MONTH', 'TIME'] as const;
export type UnpaidInterval = (typeof UNPAID_INTERVALS)[number];

/** Why an unpaid instalment costs its charge. */
export const UNPAID_CAUSES = ['LATE', 'BOUNCED'] as const;
export type UnpaidCause = (typeof UNPAID_CAUSES)[number];

/** What one of the contingent charges comes to where an instalment is not paid on its day. */
export interface UnpaidCharge {
  /** As the contingent charge is named in English. */
  name: string;
  /** Percent of the instalment; it and `flat` add up, and one of them is there. */
  percentOfInstalment?: number;
  /** Paise, before tax. */
  flat?: Paise;
  /** Percent on the charge; none when left out. */
  gstPercent?: number;
  every: UnpaidInterval;
  /** Left out: cards and the confirmation show the lender's own text. */
  cause?: UnpaidCause;
}

/** Whom to complain to at the lender. */
export interface GrievanceOfficer {
  name: string;
  phone: string;
  email: string;
}

/** Whom a borrower calls at the lender. */
export interface LenderContact {
  phone: string;
  email: string;
}

export interface GoldTerms {
  pricePerGram: Paise;
  /** The RBI's when left out. */
  slabs?: LtvSlab[];
  pledge?: PledgeTerms;
}

/** Documents that a branch wants to see with the gold. */
export const GOLD_DOCUMENTS = [
  'IDENTITY',
  'ADDRESS',
  'PAN',
  'PHOTOGRAPH',
  'PURCHASE_BILL',
] as const;
export type GoldDocument = (typeof GOLD_DOCUMENTS)[number];

/** How the lender deals with gold that it holds; of what is left out the pages say what the RBI asks. */
export interface PledgeTerms {
  documents?: GoldDocument[];
  /** From full repayment; 0: on the same day. */
  returnWithinWorkingDays?: number;
  /** What the lender pays for each day of a delay that is its own. */
  lateReturnPerDay?: Paise;
  /** Calendar days between the notice and the auction. */
  auctionNoticeDays?: number;
  /** What the valuation costs whoever then takes no loan, tax included; 0: nothing. */
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

/** When a branch is open on some days of the week. */
export interface OpeningHours {
  days: Weekday[];
  /** HH:MM in India. */
  opens: string;
  closes: string;
}

export interface LenderBranch {
  id: string;
  /** What the lender calls it, of a branch that came with its offer; else that is the id. */
  reference?: string;
  name: string;
  address: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Left out: the configuration does not say. */
  hours?: OpeningHours[];
}
