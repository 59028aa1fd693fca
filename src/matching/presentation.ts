import type { Paise } from '../loans/index.js';
import type { Language } from '../platform/index.js';
import type { ContingentCharge } from '../settings/index.js';
import type { LenderIdentity } from './lender-identity.js';
import type { LenderWithoutOffer, PassedOverLender } from './lender-without-offer.js';
import type { OfferOrder } from './offer-metric.js';

/** `PAGE`: a page of ours; `API`: an answer to a partner's program, which shows it to the applicant. */
export type PresentationPlace = 'PAGE' | 'API';

/** Of which application it is, and where it was. */
interface Presentation {
  readonly partnerId: string;
  /** The journey's or the instant loan's id. */
  readonly subjectId: string;
  /** The round of offers, from 1. */
  readonly round: number;
  readonly place: PresentationPlace;
  /** Null for an answer to a program: it has the lenders' own words and no others. */
  readonly language: Language | null;
  /** Left out: by APR. */
  readonly order?: OfferOrder;
}

/** An offer as it was shown: money in paise, rates in percent, tenure in months. */
export interface PresentedOffer {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly lenderName: string;
  readonly principal: Paise;
  readonly minimumAmount: Paise;
  readonly figures: object;
  readonly contingentCharges: readonly ContingentCharge[];
  readonly coolingOffDays: number;
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  /** Shown on our pages alone: what the lender is, its registration, and who may approach a borrower who owes. */
  readonly lender?: LenderIdentity;
  /** For gold: how the amount came about, in the lender's words, of which the hash is kept. */
  readonly explanation: string | null;
  readonly validUntil: Date;
  /** Whether it could still be chosen; one that could not was shown as such. */
  readonly isValid: boolean;
  /** Whether it was the chosen one, in place of which another could be chosen. */
  readonly isChosen?: boolean;
}

/** What is shown of an instant loan: these figures and this statement of the offer, and nothing more of it. */
export interface PresentedTerms {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly lenderName: string;
  readonly principal: Paise;
  readonly figures: object;
  /** What the lender is, and who may approach a borrower who owes. */
  readonly lender: LenderIdentity;
  /** Of the offer's Key Facts Statement. */
  readonly keyFactsHash: string;
}

/** Offers side by side, in the order in which they were shown. */
export interface Comparison extends Presentation {
  readonly productCode: string;
  readonly offers: readonly (PresentedOffer | PresentedTerms)[];
  /** Null while the lenders of the round are still asked. */
  readonly lendersWithoutOffer: readonly (LenderWithoutOffer | PassedOverLender)[] | null;
  /** The codes of those that do not lend the amount, where that is known without asking them. */
  readonly notLending?: readonly string[];
}

/** What was chosen. */
export interface Choice extends Presentation {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly loanAmount: Paise;
  /** Quoted for that amount. */
  readonly figures: object;
}
