import type { InstantOffer } from '../store/instant-offer.entity.js';
import type { LenderComparison, OtherTerms } from './instant-loan.js';
import { withoutOffer } from './offer-standing.js';

/** The lenders are asked once. */
export const OFFERS_REFERENCE = '1';

type OfAnOffer = 'offerReference' | 'quote' | 'terms' | 'feeOnDecline' | 'validUntil';

export type MadeOffer = InstantOffer & {
  readonly [Property in OfAnOffer]: NonNullable<InstantOffer[Property]>;
};

export function isMade(offer: InstantOffer): offer is MadeOffer {
  return offer.standing === 'OFFERED';
}

/** By the public metric: lowest APR first, then the lender's code. */
export function inOrder(offers: readonly InstantOffer[]): MadeOffer[] {
  return offers
    .filter(isMade)
    .toSorted((a, b) => a.quote.apr - b.quote.apr || (a.lenderCode < b.lenderCode ? -1 : 1));
}

export function otherTerms({ id, lenderName, quote }: MadeOffer): OtherTerms {
  const { apr, instalment, tenureMonths, processingFees } = quote;
  return { offerId: id, lenderName, apr, instalment, tenureMonths, fee: processingFees };
}

export function withoutOffers(
  answered: readonly InstantOffer[],
  compared: readonly MadeOffer[],
): LenderComparison['noOffer'] {
  const lenders = new Set(compared.map(({ lenderCode }) => lenderCode));
  return answered.filter(({ lenderCode }) => !lenders.has(lenderCode)).map(withoutOffer);
}
