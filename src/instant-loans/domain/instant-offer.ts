import type { InstantOffer } from '../store/instant-offer.entity.js';

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
