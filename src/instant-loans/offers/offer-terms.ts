import type { LenderComparison, OtherTerms } from '../domain/instant-loan.js';
import type { MadeOffer } from '../domain/instant-offer.js';
import { withoutOffer } from '../domain/offer-standing.js';
import type { InstantOffer } from '../store/instant-offer.entity.js';

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
