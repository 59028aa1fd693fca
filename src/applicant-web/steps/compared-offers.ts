import type { HostedJourneyView } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';

type HostedOffer = HostedJourneyView['offers'][number];

/** An offer as the comparison shows it: what the cards, and the table of a wide page, need. */
export interface ComparedOffer {
  readonly offerId: string;
  readonly lenderName: string;
  readonly isLowest: boolean;
  /** Whether it can no longer be chosen. */
  readonly hasRunOut: boolean;
  readonly emi: Paise;
  readonly amount: Paise;
  readonly fees: Paise;
  readonly net: Paise;
  readonly apr: number;
  readonly annualRate: number;
  readonly tenureMonths: number;
  readonly validUntil: Date;
  readonly contingentCharges: HostedOffer['terms']['contingentCharges'];
  readonly coolingOffDays: number;
  /** Who lends beside the lender, with its share. */
  readonly coLender: HostedOffer['terms']['coLender'];
  readonly kfsHref: string;
  /** Absent when the offer can no longer be chosen. */
  readonly chooseHref?: string;
  /** For gold: how the amount came about, in the lender's words. */
  readonly note: string | null;
}

/** Every offer of the round, none hidden and none favoured, in the order that the view has. */
export function comparedOffers({ offers }: Pick<HostedJourneyView, 'offers'>): ComparedOffer[] {
  // Of a single offer nothing is gained by saying that it is the cheapest.
  const isComparison = offers.length > 1;
  return offers.map((offer) => ({
    offerId: offer.offerId,
    lenderName: offer.lenderName,
    isLowest: isComparison && offer.isLowest,
    hasRunOut: !offer.isValid,
    emi: offer.figures.instalment,
    amount: offer.amount,
    fees: offer.figures.processingFees,
    net: offer.figures.netDisbursed,
    apr: offer.figures.apr,
    annualRate: offer.figures.annualRatePercent,
    tenureMonths: offer.figures.tenureMonths,
    validUntil: offer.validUntil,
    contingentCharges: offer.terms.contingentCharges,
    coolingOffDays: offer.terms.coolingOffDays,
    coLender: offer.terms.coLender,
    kfsHref: offer.kfsUrl,
    ...(offer.isValid && { chooseHref: offerPath(offer.offerId) }),
    note: offer.terms.collateralExplanation,
  }));
}

/** The page on which an offer's amount is chosen. */
export function offerPath(offerId: string): string {
  return `/hosted/offers/${encodeURIComponent(offerId)}`;
}

/** The lenders that were asked and made no offer, by how they stand. */
export function lendersWithoutOffer({ lenders }: Pick<HostedJourneyView, 'lenders'>): {
  declined: string[];
  unreachable: string[];
  refused: string[];
  silent: string[];
} {
  const named = (status: HostedJourneyView['lenders'][number]['status']) =>
    lenders.filter((lender) => lender.status === status).map(({ name }) => name);
  return {
    declined: named('NO_OFFER'),
    unreachable: named('UNREACHABLE'),
    refused: named('OFFER_REFUSED'),
    silent: [...named('NO_ANSWER'), ...named('WAITING')],
  };
}
