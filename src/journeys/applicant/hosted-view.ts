import type { JourneyStep, RedirectStep } from '../../journey-steps/index.js';
import type { KeyFactsStatement } from '../../key-facts/index.js';
import type { Paise } from '../../loans/index.js';
import type { LoanAmountSource } from '../../leads/index.js';
import type { OfferOrder } from '../../matching/index.js';
import type { Language } from '../../platform/index.js';
import type { QuotedLoan } from '../domain/journey.js';
import type { ShownProvider } from '../../lenders/index.js';
import type { OutcomeReason } from '../domain/journey-state.js';
import type { DetailName, HostedApplicant } from '../domain/applicant-details.js';
import type { CurrentConsent } from '../access/consents.js';
import type { HostedComparison, HostedOffer } from '../offers/hosted-offers.js';
import type { BindingStep, OwnTexts } from '../../settings/index.js';

export interface GivenOnPage {
  readonly language: Language;
  readonly shown: string;
  readonly mayCall: boolean;
  readonly clientAddress: string;
}

export interface HostedRedirect {
  readonly step: RedirectStep;
  /** `/r/…`, which opens the provider's session. */
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  readonly isDeciding: boolean;
  readonly provider: ShownProvider | null;
}

export interface HostedFee {
  readonly amount: Paise;
  /** Whether the lender keeps it without a loan. */
  readonly isKept: boolean;
  readonly isTryFailed: boolean;
  /** The applicant went to the payment page; no result is known. */
  readonly isPaying: boolean;
  /** A new payment must begin earlier than `expiresAt`. */
  readonly payUntil: Date;
  readonly expiresAt: Date;
  readonly orderId: string | null;
  readonly gatewayPaymentId: string | null;
  readonly paidAt: Date | null;
  /** `/r/…`, which opens the payment page. */
  readonly url: string;
}

export interface HostedJourneyView extends HostedComparison {
  readonly applicationId: string;
  readonly productName: string;
  /** Languages other than English. */
  readonly productTexts: OwnTexts | null;
  readonly steps: readonly JourneyStep[];
  readonly outcomeReason: OutcomeReason | null;
  /** A form with another stamp is stale. */
  readonly stamp: string;
  readonly loanAmount: Paise;
  /** `DEFAULT`: the applicant must state the amount first. */
  readonly loanAmountSource: LoanAmountSource;
  readonly isConfirmed: boolean;
  /** To the current text. */
  readonly consent: CurrentConsent | null;
  /** Null after erasure. */
  readonly applicant: HostedApplicant | null;
  readonly missingDetails: readonly DetailName[];
  /** Details that the partner omitted, whether or not the applicant has given them. */
  readonly askedDetails: readonly DetailName[];
  readonly detailsHash: string;
  /** After this step the terms forbid another choice. */
  readonly bindsAfter: BindingStep | null;
  readonly bindsNow: boolean;
  readonly mayCoverSignature: boolean;
  /** The applicant has consented, and the agreement is not and cannot be signed. */
  readonly mayStop: boolean;
  readonly bankAccount: { readonly ifscCode: string; readonly maskedNumber: string } | null;
  readonly redirect: HostedRedirect | null;
  readonly fee: HostedFee | null;
  /** At this step. */
  readonly stepFailures: number;
  readonly leaseUntil: Date | null;
  /** The partner's page, with `journeyId` and `outcome`. */
  readonly returnUrl: string | null;
  readonly pollIntervalSeconds: number;
  readonly createdAt: Date;
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
  readonly language: Language;
  readonly insteadOf?: string;
  /** Of the comparison; absent: by APR. */
  readonly order?: OfferOrder;
}
