import type { ComparedOffer, HostedJourneyView } from '../../journeys/index.js';
import type { IndianDay, Paise } from '../../loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import type { Language } from '../../platform/index.js';
import { inLanguage } from '../../settings/index.js';
import { lenderIdentity, recoveryAgent } from './lender-identity.js';
import { type NearestBranch, nearestBranch, type Place } from './nearest-branch.js';
import { type ChargeStanding, linedUpCharges } from './lined-up-charges.js';
import { withOrder } from './offer-order.js';

/** An offer as the comparison shows it: what the cards, and the table of a wide page, need. */
export interface ShownOffer {
  readonly offerId: string;
  readonly lenderName: string;
  /** What the lender is in law, and its registration; empty where that is not known. */
  readonly identity: string;
  readonly recoveryAgent: string;
  /** Whether it has the lowest APR, of those that can be had. */
  readonly isLowest: boolean;
  /** Whether it costs the fewest rupees; never said of loans of different amounts. */
  readonly isCheapest: boolean;
  /** Whether another offer costs fewer rupees still, and its lender has no branch near the applicant. */
  readonly isOnlyInReach: boolean;
  /** Whether it costs the most rupees; said under the same conditions. */
  readonly isDearest: boolean;
  /** Whether it can no longer be chosen. */
  readonly hasRunOut: boolean;
  /** Its tag where it has no button: it was chosen, or can no longer be. */
  readonly standingKey: string | null;
  readonly emi: Paise;
  /** What is paid back in all, and how much of it is more than what is received. */
  readonly total: Paise;
  readonly cost: Paise;
  /** The earliest day on which the first instalment can be due. */
  readonly firstDueOn: IndianDay;
  readonly amount: Paise;
  readonly fees: Paise;
  readonly net: Paise;
  readonly apr: number;
  readonly annualRate: number;
  readonly tenureMonths: number;
  readonly validUntil: Date;
  readonly charges: readonly ChargeStanding[];
  readonly coolingOffDays: number;
  /** Who lends beside the lender, with its share. */
  readonly coLender: ComparedOffer['terms']['coLender'];
  readonly kfsHref: string;
  /** Absent of an offer that was chosen, or can no longer be. */
  readonly chooseHref?: string;
  /** For gold: how the amount came about, in the lender's words. */
  readonly note: string | null;
  /** For gold; null where the distance is not known. */
  readonly branch: NearestBranch | null;
  /** For gold: it is known that no branch of its lender is near. */
  readonly isFar: boolean;
}

/** The offer with the lowest APR, where another one costs fewer rupees: both are told. */
export interface Dearer {
  readonly lowest: ShownOffer;
  readonly cheapest: ShownOffer;
}

/** Where the applicant is, if that is known, and how far away is near. */
interface Near {
  readonly from: Place | null;
  readonly withinKm: number;
}

interface ChargeRow {
  readonly name: string;
  /** One for each offer, in their order. */
  readonly standings: readonly ChargeStanding[];
}

/**
 * Every offer of the round, none hidden and none favoured, in the order that it is given in. Those that can be had
 * are told apart from each other: an offer on gold without a branch near the applicant leads in nothing, as long as
 * another has one.
 */
export function shownOffers(
  offers: readonly ComparedOffer[],
  order: OfferOrder,
  language: Language,
  near: Near,
): ShownOffer[] {
  const nearest = offers.map(({ terms }) => nearestTo(near, terms));
  const isFar = (place: number) => nearest[place]?.isNear === false;
  const leaders = leadersOf(offers, isFar);
  // Of a single offer nothing is gained by saying that it is the cheapest.
  const isComparison = leaders.length > 1;
  const lowestApr = Math.min(...leaders.map(({ figures }) => figures.apr));
  const costs = isComparison && !haveDifferentAmounts(offers) ? costsOf(leaders) : null;
  const isOnlyInReach =
    costs !== null && offers.some((offer) => offer.isValid && offer.cost < costs.least);
  const charges = chargesOf(offers, language);
  return offers.map((offer, place) => ({
    offerId: offer.offerId,
    isFar: isFar(place),
    lenderName: offer.lenderName,
    identity: lenderIdentity(offer.terms, language),
    recoveryAgent: recoveryAgent(offer.terms, language),
    isLowest: isComparison && leaders.includes(offer) && offer.figures.apr === lowestApr,
    isCheapest: leaders.includes(offer) && offer.cost === costs?.least,
    isOnlyInReach,
    isDearest: leaders.includes(offer) && offer.cost === costs?.most && costs.most > costs.least,
    hasRunOut: !offer.isValid && !offer.isChosen,
    standingKey: standingOf(offer),
    emi: offer.figures.instalment,
    total: offer.totalPayable,
    cost: offer.cost,
    firstDueOn: offer.firstDueOn,
    amount: offer.amount,
    fees: offer.figures.processingFees,
    net: offer.figures.netDisbursed,
    apr: offer.figures.apr,
    annualRate: offer.figures.annualRatePercent,
    tenureMonths: offer.figures.tenureMonths,
    validUntil: offer.validUntil,
    charges: charges[place],
    coolingOffDays: offer.terms.coolingOffDays,
    coLender: offer.terms.coLender,
    kfsHref: offer.kfsUrl,
    ...(offer.isValid &&
      !offer.isChosen && { chooseHref: withOrder(offerPath(offer.offerId), order) }),
    note: explanationIn(offer.terms, language),
    branch: nearest[place],
  }));
}

function nearestTo(
  { from, withinKm }: Near,
  { branches }: ComparedOffer['terms'],
): NearestBranch | null {
  return nearestBranch(branches, from, withinKm);
}

function chargesOf(offers: readonly ComparedOffer[], language: Language): ChargeStanding[][] {
  return linedUpCharges(
    offers.map(({ terms }) => terms.contingentCharges),
    (text, place) => inLanguage(offers[place].terms.texts, language, text),
  );
}

/** Those that can be had, without those that are far as long as another one is not. */
function leadersOf(
  offers: readonly ComparedOffer[],
  isFar: (place: number) => boolean,
): ComparedOffer[] {
  const near = offers.filter(({ isValid }, place) => isValid && !isFar(place));
  return near.length > 0 ? near : offers.filter(({ isValid }) => isValid);
}

/** How the lender came to the amount of a loan on gold; null where it does not say. */
export function explanationIn(
  { collateralExplanation, texts }: ComparedOffer['terms'],
  language: Language,
): string | null {
  return collateralExplanation && inLanguage(texts, language, collateralExplanation);
}

function standingOf({ isChosen, isLetGo, isValid }: ComparedOffer): string | null {
  if (isChosen) return 'steps.offers.chosen';
  if (isLetGo) return 'steps.offers.letGo';
  return isValid ? null : 'steps.offers.runOut';
}

/** Null where the lowest APR also costs the fewest rupees, or nothing can be said. */
export function dearer(offers: readonly ShownOffer[]): Dearer | null {
  const lowest = offers.find(({ isLowest }) => isLowest);
  const cheapest = offers.find(({ isCheapest }) => isCheapest);
  return lowest && cheapest && lowest.cost > cheapest.cost ? { lowest, cheapest } : null;
}

/** A smaller loan has a smaller instalment and costs fewer rupees: that is no comparison. */
export function haveDifferentAmounts(offers: readonly Pick<ComparedOffer, 'amount'>[]): boolean {
  return new Set(offers.map(({ amount }) => amount)).size > 1;
}

/** The charges of all offers, a kind a row, for the table of a wide page. */
export function chargeRows(offers: readonly ShownOffer[]): ChargeRow[] {
  return (offers[0]?.charges ?? []).map(({ name }, kind) => ({
    name,
    standings: offers.map(({ charges }) => charges[kind]),
  }));
}

function costsOf(offers: readonly ComparedOffer[]): { least: Paise; most: Paise } {
  const costs = offers.map(({ cost }) => cost);
  return { least: Math.min(...costs), most: Math.max(...costs) };
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
