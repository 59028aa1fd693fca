import type { Paise } from '../../loans/index.js';
import type { LenderWithoutOffer, PassedOverLender } from '../../matching/index.js';
import type { InstantLoanStatus } from './instant-loan-status.js';

export const INSTANT_PRODUCT = 'ONLINE_INSTANT';

/** What the rules read of an application. */
export interface InstantLoanPosition {
  readonly id: string;
  readonly status: InstantLoanStatus;
  readonly lenderCode: string | null;
  readonly offersDueAt: Date | null;
  readonly offerId: string | null;
  readonly wantedOfferId: string | null;
  readonly agreedAt: Date | null;
  readonly paymentOrderId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

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
