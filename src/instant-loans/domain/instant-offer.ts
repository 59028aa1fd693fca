import type { OfferTerms } from '../../lenders/index.js';
import type { Quote } from '../../loans/index.js';
import type { FeeOnDecline } from '../../settings/index.js';
import type { LenderComparison, OtherTerms } from './instant-loan.js';
import { type AskedOffer, withoutOffer } from './offer-standing.js';

/** The lenders are asked once. */
export const OFFERS_REFERENCE = '1';

/** Known of an offer that was made. */
export interface OfferContent {
  readonly offerReference: string;
  readonly quote: Quote;
  readonly terms: OfferTerms;
  readonly feeOnDecline: FeeOnDecline;
  readonly validUntil: Date;
}

export function isMade<Offer extends AskedOffer>(offer: Offer): offer is Offer & OfferContent {
  return offer.standing === 'OFFERED';
}

/** By the public metric: lowest APR first, then the lender's code. */
export function inOrder<Offer extends AskedOffer>(
  offers: readonly Offer[],
): (Offer & OfferContent)[] {
  return offers
    .filter(isMade)
    .toSorted((a, b) => a.quote.apr - b.quote.apr || (a.lenderCode < b.lenderCode ? -1 : 1));
}

export function otherTerms({ id, lenderName, quote }: AskedOffer & OfferContent): OtherTerms {
  const { apr, instalment, tenureMonths, processingFees } = quote;
  return { offerId: id, lenderName, apr, instalment, tenureMonths, fee: processingFees };
}

export function withoutOffers(
  answered: readonly AskedOffer[],
  compared: readonly AskedOffer[],
): LenderComparison['noOffer'] {
  const lenders = new Set(compared.map(({ lenderCode }) => lenderCode));
  return answered.filter(({ lenderCode }) => !lenders.has(lenderCode)).map(withoutOffer);
}
