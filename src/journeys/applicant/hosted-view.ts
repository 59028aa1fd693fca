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
import type { DetailName } from '../domain/detail-name.js';
import type { BindingStep, LenderBranch, OwnTexts } from '../../settings/index.js';

/** Which journey, and whose: what a browser's session stands for. */
export interface HostedKey {
  readonly partnerId: string;
  readonly journeyId: string;
}

/** What an applicant has sent from the page of the consent. */
export interface GivenOnPage {
  readonly language: Language;
  /** The digest of the texts that were shown. */
  readonly shown: string;
  /** Whether the box for calls was ticked. */
  readonly mayCall: boolean;
  readonly clientAddress: string;
}

/** A lender that was asked, and what became of it; one that makes no offer is named, too. */
export interface HostedLender {
  readonly code: string;
  readonly name: string;
  /**
   * `NO_ANSWER`: the journey went on without it. `UNREACHABLE`: it is not waited for, but is asked
   * again as long as others are. `OFFER_REFUSED`: what it offered did not hold.
   */
  readonly status:
    | 'WAITING'
    | 'OFFERED'
    | 'NO_OFFER'
    | 'NO_ANSWER'
    | 'UNREACHABLE'
    | 'OFFER_REFUSED';
}

/** An offer as the applicant compares it. */
export interface HostedOffer {
  readonly offerId: string;
  readonly lenderCode: string;
  /** The lender's legal name. */
  readonly lenderName: string;
  readonly amount: Paise;
  readonly minimumAmount: Paise;
  readonly figures: LoanFigures;
  readonly terms: OfferTerms;
  readonly validUntil: Date;
  /** Whether it can still be chosen. */
  readonly isValid: boolean;
  readonly isChosen: boolean;
  /** Its lender was told that another offer was chosen. */
  readonly isLetGo: boolean;
  readonly kfsUrl: string;
}

/** An offer with what it comes to, beside the others. */
export interface ComparedOffer extends HostedOffer {
  /** What is paid back: principal and interest. */
  readonly totalPayable: Paise;
  /** How much of it is more than what is paid out: interest and charges. */
  readonly cost: Paise;
  /** The earliest day on which the first instalment can be due: a month from today. */
  readonly firstDueOn: IndianDay;
}

/** What was chosen, as it was agreed to. */
export interface HostedSelection {
  readonly offer: HostedOffer;
  readonly selection: Selection;
  readonly branch: LenderBranch | null;
  /** What was agreed to. */
  readonly statement: KeyFactsStatement;
  /** SHA-256 (hex) of it. */
  readonly keyFactsHash: string;
  readonly kfsUrl: string;
}

/** The provider's page that the applicant is to visit now. */
export interface HostedRedirect {
  readonly step: RedirectStep;
  /** A link of ours (`/r/…`), which opens the provider's session when visited. */
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  /** The applicant is done there, and the provider has not decided. */
  readonly isDeciding: boolean;
  /** Whose page it is; null where the configuration does not say. */
  readonly provider: ShownProvider | null;
}

/** Where the money goes. */
export interface HostedAccount {
  readonly accHolderName: string;
  readonly ifscCode: string;
  /** The last four digits alone. */
  readonly maskedNumber: string;
}

/** The consent that stands. */
export interface CurrentConsent {
  readonly textVersion: string;
  readonly givenAt: Date;
}

/** A hosted journey as the applicant's screens need it. */
export interface HostedJourneyView extends HostedKey {
  readonly applicationId: string;
  readonly productCode: string;
  readonly productName: string;
  /** The name in other languages than English. */
  readonly productTexts: OwnTexts | null;
  readonly state: JourneyState;
  readonly steps: readonly JourneyStep[];
  readonly outcomeReason: OutcomeReason | null;
  /** Differs in every state that a form can be shown in: a form that has another one is stale. */
  readonly stamp: string;
  /** What was asked for. */
  readonly loanAmount: Paise;
  /** `DEFAULT`: it is asked before anything else. */
  readonly loanAmountSource: LoanAmountSource;
  /** From 1; each later one began when the offers of the last had run out. */
  readonly offerRound: number;
  /** Whether the applicant has confirmed, and the lenders have been asked. */
  readonly isConfirmed: boolean;
  /** To the text that is in force; null when there is none. */
  readonly consent: CurrentConsent | null;
  /** Null when the applicant's data has been erased. */
  readonly applicant: HostedApplicant | null;
  /** What is still to be asked, in this order. */
  readonly missingDetails: readonly DetailName[];
  /** What the partner left for the applicant to tell, answered or not, in this order. */
  readonly askedDetails: readonly DetailName[];
  /** Of the details and the amount as they stand: what was checked is what is confirmed. */
  readonly detailsHash: string;
  /** Those asked in this round, in the order of their codes. */
  readonly lenders: readonly HostedLender[];
  /** Of this round, lowest APR first, those that have run out included. */
  readonly offers: readonly HostedOffer[];
  /** INITIATED: when the lenders' deadline is. */
  readonly offersUntil: Date | null;
  readonly selected: HostedSelection | null;
  /** Whether another offer can be chosen; null where nothing is chosen, or the agreement is signed. */
  readonly wayBack: WayBack | null;
  /** The step of the journey once which is done it no longer can, by the terms of the chosen lender. */
  readonly bindsAfter: BindingStep | null;
  /** Whether the journey is at that step. */
  readonly bindsNow: boolean;
  /** Whether the visit that this step has been begun with can have them sign, too. */
  readonly mayCoverSignature: boolean;
  /** Whether the applicant can stop: there is a consent to take back, and nothing is or may be signed. */
  readonly mayStop: boolean;
  readonly bankAccount: HostedAccount | null;
  readonly redirect: HostedRedirect | null;
  /** Refusals at this step so far. */
  readonly stepFailures: number;
  /** Until when an action holds the journey. */
  readonly leaseUntil: Date | null;
  /** The partner's page, with `journeyId` and `outcome`; null when it has given none. */
  readonly returnUrl: string | null;
  readonly pollIntervalSeconds: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
  readonly disbursedAt: Date | null;
}

/** An offer quoted again for an amount, and the statement that would be agreed to. */
export interface HostedQuote {
  readonly offer: HostedOffer;
  readonly selection: QuotedLoan;
  readonly statement: KeyFactsStatement;
  readonly keyFactsHash: string;
  /** ISO 8601; part of the statement, so the form carries it beside the hash. */
  readonly keyFactsIssuedAt: string;
}

/** The choice of an offer, with the statement that the applicant was shown. */
export interface OfferChoice {
  readonly offerId: string;
  readonly loanAmount: Paise;
  readonly keyFactsHash: string;
  readonly keyFactsIssuedAt: string;
  /** The language that the page was in. */
  readonly language: Language;
  /** The chosen offer that it takes the place of. */
  readonly insteadOf?: string;
  /** The order of the comparison that it was chosen from; left out: by APR. */
  readonly order?: OfferOrder;
}
