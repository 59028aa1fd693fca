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
  /** Digest of the shown texts. */
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
  /** A payment without a page yet has to begin earlier than `expiresAt`. */
  readonly payUntil: Date;
  readonly expiresAt: Date;
  /** Null until the applicant goes to pay. */
  readonly orderId: string | null;
  /** The payment that counts. */
  readonly gatewayPaymentId: string | null;
  readonly paidAt: Date | null;
  /** `/r/…`, which opens the payment page. */
  readonly url: string;
}

export interface HostedAccount {
  readonly accHolderName: string;
  readonly ifscCode: string;
  readonly maskedNumber: string;
}

export interface HostedJourneyView extends HostedComparison {
  readonly applicationId: string;
  readonly productName: string;
  /** In other languages than English. */
  readonly productTexts: OwnTexts | null;
  readonly steps: readonly JourneyStep[];
  readonly outcomeReason: OutcomeReason | null;
  /** A form with another stamp is stale. */
  readonly stamp: string;
  /** The requested amount. */
  readonly loanAmount: Paise;
  /** `DEFAULT`: it is asked before anything else. */
  readonly loanAmountSource: LoanAmountSource;
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
  /** INITIATED: the lenders' deadline. */
  readonly offersUntil: Date | null;
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
