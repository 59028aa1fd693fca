import type { JourneyStep, RedirectStep } from '../../journey-steps/index.js';
import type { KeyFactsStatement } from '../../key-facts/index.js';
import type { IndianDay, Paise } from '../../loans/index.js';
import type { LoanAmountSource } from '../../leads/index.js';
import type { OfferOrder } from '../../matching/index.js';
import type { Language } from '../../platform/index.js';
import type { LoanFigures, QuotedLoan, Selection } from '../domain/journey.js';
import type { OfferTerms, ShownProvider } from '../../lenders/index.js';
import type { JourneyState, OutcomeReason } from '../domain/journey-state.js';
import type { HostedApplicant } from './applicant-details.js';
import type { WayBack } from '../offers/ways-back.js';
import type { DetailName } from '../progress/applicant-file.js';
import type { BindingStep, LenderBranch, OwnTexts } from '../../settings/index.js';

export interface HostedKey {
  readonly partnerId: string;
  readonly journeyId: string;
}

export interface GivenOnPage {
  readonly language: Language;
  /** Digest of the shown texts. */
  readonly shown: string;
  readonly mayCall: boolean;
  readonly clientAddress: string;
}

export interface HostedLender {
  readonly code: string;
  readonly name: string;
  /**
   * `NO_ANSWER`: not in time. `UNREACHABLE`: not waited for, but still asked. `OFFER_REFUSED`: its figures
   * did not hold.
   */
  readonly status:
    | 'WAITING'
    | 'OFFERED'
    | 'NO_OFFER'
    | 'NO_ANSWER'
    | 'UNREACHABLE'
    | 'OFFER_REFUSED';
}

export interface HostedOffer {
  readonly offerId: string;
  readonly lenderCode: string;
  /** Legal name. */
  readonly lenderName: string;
  readonly amount: Paise;
  readonly minimumAmount: Paise;
  readonly figures: LoanFigures;
  readonly terms: OfferTerms;
  readonly validUntil: Date;
  readonly isValid: boolean;
  readonly isChosen: boolean;
  /** Its lender was notified that another was chosen. */
  readonly isLetGo: boolean;
  readonly kfsUrl: string;
}

export interface ComparedOffer extends HostedOffer {
  /** Principal and interest. */
  readonly totalPayable: Paise;
  /** Interest and charges: `totalPayable` less the payout. */
  readonly cost: Paise;
  /** A month from today. */
  readonly firstDueOn: IndianDay;
}

export interface HostedSelection {
  readonly offer: HostedOffer;
  readonly selection: Selection;
  readonly branch: LenderBranch | null;
  readonly statement: KeyFactsStatement;
  /** SHA-256 (hex). */
  readonly keyFactsHash: string;
  readonly kfsUrl: string;
}

export interface HostedRedirect {
  readonly step: RedirectStep;
  /** `/r/…`, which opens the provider's session. */
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  readonly isDeciding: boolean;
  /** Null when it is not configured. */
  readonly provider: ShownProvider | null;
}

export interface HostedFee {
  readonly amount: Paise;
  /** Whether the lender keeps it when no loan comes of the journey. */
  readonly isKept: boolean;
  readonly isTryFailed: boolean;
  /** Whether the applicant went to the payment page, and nothing is known yet. */
  readonly isPaying: boolean;
  readonly expiresAt: Date;
  /** `/r/…`, which opens the payment page. */
  readonly url: string;
}

export interface HostedAccount {
  readonly accHolderName: string;
  readonly ifscCode: string;
  readonly maskedNumber: string;
}

export interface CurrentConsent {
  readonly textVersion: string;
  readonly givenAt: Date;
}

export interface HostedJourneyView extends HostedKey {
  readonly applicationId: string;
  readonly productCode: string;
  readonly productName: string;
  /** In other languages than English. */
  readonly productTexts: OwnTexts | null;
  readonly state: JourneyState;
  readonly steps: readonly JourneyStep[];
  readonly outcomeReason: OutcomeReason | null;
  /** A form with another stamp is stale. */
  readonly stamp: string;
  /** The requested amount. */
  readonly loanAmount: Paise;
  /** `DEFAULT`: it is asked before anything else. */
  readonly loanAmountSource: LoanAmountSource;
  /** From 1; a new round begins when all offers have expired. */
  readonly offerRound: number;
  readonly isConfirmed: boolean;
  /** Consent to the current text. */
  readonly consent: CurrentConsent | null;
  /** Null after erasure. */
  readonly applicant: HostedApplicant | null;
  /** In the order in which they are asked. */
  readonly missingDetails: readonly DetailName[];
  /** What the partner left out, answered or not. */
  readonly askedDetails: readonly DetailName[];
  /** Only details with this hash can be confirmed. */
  readonly detailsHash: string;
  /** Asked in this round, in the order of their codes. */
  readonly lenders: readonly HostedLender[];
  /** Lowest APR first, including expired ones. */
  readonly offers: readonly HostedOffer[];
  /** INITIATED: the lenders' deadline. */
  readonly offersUntil: Date | null;
  readonly selected: HostedSelection | null;
  /** Null without a choice, or after the signature. */
  readonly wayBack: WayBack | null;
  /** After this step the lender's terms forbid another choice. */
  readonly bindsAfter: BindingStep | null;
  readonly bindsNow: boolean;
  /** Whether the open session also covers the signature. */
  readonly mayCoverSignature: boolean;
  /** Whether the applicant has consented, and nothing is or may be signed. */
  readonly mayStop: boolean;
  readonly bankAccount: HostedAccount | null;
  readonly redirect: HostedRedirect | null;
  /** Of the chosen offer, where the product has a fee. */
  readonly fee: HostedFee | null;
  /** Refusals at this step. */
  readonly stepFailures: number;
  readonly leaseUntil: Date | null;
  /** The partner's page, with `journeyId` and `outcome`. */
  readonly returnUrl: string | null;
  readonly pollIntervalSeconds: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
  readonly disbursedAt: Date | null;
}

export interface HostedQuote {
  readonly offer: HostedOffer;
  readonly selection: QuotedLoan;
  readonly statement: KeyFactsStatement;
  readonly keyFactsHash: string;
  /** ISO 8601; part of the statement. */
  readonly keyFactsIssuedAt: string;
}

export interface OfferChoice {
  readonly offerId: string;
  readonly loanAmount: Paise;
  readonly keyFactsHash: string;
  readonly keyFactsIssuedAt: string;
  /** Of the page. */
  readonly language: Language;
  /** The offer that was chosen before. */
  readonly insteadOf?: string;
  /** Of the comparison; left out: by APR. */
  readonly order?: OfferOrder;
}
