import type { KeyFactsStatement } from '../../key-facts/index.js';
import type { OfferTerms } from '../../lenders/index.js';
import type { IndianDay, Paise } from '../../loans/index.js';
import type { LenderBranch } from '../../settings/index.js';
import type { LoanFigures, Selection } from '../domain/journey.js';
import type { JourneyState } from '../domain/journey-state.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import type { OfferChange } from './offer-change-policy.js';

export interface HostedLender {
  readonly code: string;
  readonly name: string;
  /**
   * `NO_ANSWER`: not in time. `UNREACHABLE`: not waited for, but still asked. `OFFER_REFUSED`: its figures were
   * wrong.
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
  readonly isReleased: boolean;
  readonly kfsUrl: string;
}

export interface ComparedOffer extends HostedOffer {
  /** Principal, interest, and charges that are paid first. */
  readonly totalPayable: Paise;
  /** Interest and charges. */
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
  readonly isAgreed: boolean;
  readonly kfsUrl: string;
}

export interface HostedComparison extends HostedKey {
  readonly productCode: string;
  readonly state: JourneyState;
  /** From 1; a new round begins when all offers have expired. */
  readonly offerRound: number;
  readonly lenders: readonly HostedLender[];
  /** Lowest APR first, including expired offers. */
  readonly offers: readonly HostedOffer[];
  readonly selected: HostedSelection | null;
  /** Null without a choice, or after the signature. */
  readonly offerChange: OfferChange | null;
  /** Codes of lenders that do not lend the amount. */
  readonly notLending?: readonly string[];
}
