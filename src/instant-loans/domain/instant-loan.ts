import type { Paise } from '../../loans/index.js';
import type { LenderWithoutOffer, PassedOverLender } from '../../matching/index.js';

export const INSTANT_PRODUCT = 'ONLINE_INSTANT';

export interface OtherTerms {
  readonly offerId: string;
  readonly lenderName: string;
  /** Percent. */
  readonly apr: number;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly fee: Paise;
}

export interface LenderComparison {
  /** Lowest APR first. */
  readonly others: readonly OtherTerms[];
  /** Lenders that do not lend this amount and were not asked. */
  readonly withoutOffer: readonly string[];
  /** A name may change; a code does not. */
  readonly withoutOfferCodes: readonly string[];
  readonly noOffer: readonly (LenderWithoutOffer | PassedOverLender)[];
}
