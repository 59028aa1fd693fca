import type { Paise } from '../../loans/index.js';
import type { LenderWithoutOffer, PassedOverLender } from '../../matching/index.js';

export const INSTANT_PRODUCT = 'ONLINE_INSTANT';

/** What another lender would lend the same amount on. */
export interface OtherTerms {
  readonly offerId: string;
  readonly lenderName: string;
  /** Percent. */
  readonly apr: number;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly fee: Paise;
}

/** The lenders that were looked at and not taken: shown beside the one that was. */
export interface LenderComparison {
  /** Lowest APR first. */
  readonly others: readonly OtherTerms[];
  /** Those that do not lend this amount, and were not asked. */
  readonly withoutOffer: readonly string[];
  /** Their codes: a name may change. */
  readonly withoutOfferCodes: readonly string[];
  /** Those that were asked and make no offer that could be taken. */
  readonly noOffer: readonly (LenderWithoutOffer | PassedOverLender)[];
}
