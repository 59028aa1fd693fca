import type {
  LenderWithoutOffer,
  PassedOverLender,
  STANDINGS_WITHOUT_OFFER,
} from '../../matching/index.js';

export type OfferStanding = 'OFFERED' | (typeof STANDINGS_WITHOUT_OFFER)[number];

export interface AskedOffer {
  readonly id: string;
  readonly lenderCode: string;
  readonly lenderName: string;
  readonly standing: OfferStanding;
}

/** An offer that was not chosen or compared counts as passed over. */
export function withoutOffer({
  lenderCode: code,
  lenderName: name,
  standing,
}: AskedOffer): LenderWithoutOffer | PassedOverLender {
  return { code, name, standing: standing === 'OFFERED' ? 'PASSED_OVER' : standing };
}
