import type { InstantOffer } from '../store/instant-offer.entity.js';

type OfAnOffer = 'offerReference' | 'quote' | 'terms' | 'feeOnDecline' | 'validUntil';

/** An offer that holds. */
export type MadeOffer = InstantOffer & {
  readonly [Property in OfAnOffer]: NonNullable<InstantOffer[Property]>;
};

export function isMade(offer: InstantOffer): offer is MadeOffer {
  return offer.standing === 'OFFERED';
}

/**
 * The offers in the order of the one public metric: lowest APR first, and between equal ones by the
 * lender's code.
 */
export function inOrder(offers: readonly InstantOffer[]): MadeOffer[] {
  return offers
    .filter(isMade)
    .toSorted((a, b) => a.quote.apr - b.quote.apr || (a.lenderCode < b.lenderCode ? -1 : 1));
}
