import type { Paise } from '../../loans/index.js';

export const INSTANT_PRODUCT = 'ONLINE_INSTANT';

/** What another lender would have lent the same amount on. */
export interface OtherTerms {
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
  /** Those that do not lend this amount. */
  readonly withoutOffer: readonly string[];
}
