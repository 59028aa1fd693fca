import type {
  LenderWithoutOffer,
  PassedOverLender,
  STANDINGS_WITHOUT_OFFER,
} from '../../matching/index.js';

/** How a lender that was asked stands. */
export type OfferStanding = 'OFFERED' | (typeof STANDINGS_WITHOUT_OFFER)[number];

interface Asked {
  readonly lenderCode: string;
  readonly lenderName: string;
  readonly standing: OfferStanding;
}

/** A lender that was asked and of which nothing was chosen or compared; its offer, if any, was passed over. */
export function withoutOffer({
  lenderCode: code,
  lenderName: name,
  standing,
}: Asked): LenderWithoutOffer | PassedOverLender {
  return { code, name, standing: standing === 'OFFERED' ? 'PASSED_OVER' : standing };
}
