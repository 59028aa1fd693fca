import { Injectable } from '@nestjs/common';
import { addMonths, dayInIndia, type IndianDay, quoteLoan } from '../../loans/index.js';
import {
  lenderIdentityOf,
  type LenderWithoutOffer,
  type OfferOrder,
  OfferPresentations,
  type PresentedOffer,
} from '../../matching/index.js';
import { Clock, type Language, type Tx } from '../../platform/index.js';
import { chargesIn, inLanguage } from '../../settings/index.js';
import type { LoanFigures, Selection } from '../domain/journey.js';
import type { JourneyState } from '../domain/journey-state.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { lendersWithoutOffer } from './ended-rounds.js';
import type {
  ComparedOffer,
  HostedComparison,
  HostedLender,
  HostedOffer,
} from './hosted-offers.js';

const STANDINGS: Readonly<Record<HostedLender['status'], LenderWithoutOffer['standing'] | null>> = {
  OFFERED: null,
  NO_OFFER: 'DECLINED',
  UNREACHABLE: 'UNREACHABLE',
  OFFER_REFUSED: 'OFFER_REFUSED',
  NO_ANSWER: 'NO_ANSWER',
  WAITING: 'NO_ANSWER',
};

const FIGURES: Readonly<Record<OfferOrder, (offer: ComparedOffer) => number>> = {
  APR: ({ figures }) => figures.apr,
  INSTALMENT: ({ figures }) => figures.instalment,
  TOTAL: ({ totalPayable }) => totalPayable,
};

/** Absent for choices by API. */
interface ChoicePlace {
  readonly language?: Language;
  readonly order?: OfferOrder;
}

@Injectable()
export class ShownComparisons {
  constructor(
    private readonly presentations: OfferPresentations,
    private readonly clock: Clock,
  ) {}

  /**
   * Call it before responding to the partner.
   * @param offers in the response's order
   */
  async toPartner(journey: Journey, offers: readonly Offer[]): Promise<void> {
    if (!isCompared(journey.state, journey.selectedOfferId !== null)) return;
    const { partnerId, id: subjectId, offerRound: round, productCode } = journey;
    await this.presentations.shown({
      partnerId,
      subjectId,
      round,
      place: 'API',
      language: null,
      productCode,
      offers: offers.map(({ id: offerId, sellerName: lenderName, principal: amount, ...offer }) =>
        presented({ ...offer, offerId, lenderName, amount, isValid: true }),
      ),
      lendersWithoutOffer: lendersWithoutOffer(journey),
    });
  }

  /**
   * Call it before a page shows the comparison, or that there is none.
   * @returns the offers to show, in this order, with these figures
   */
  async toApplicant(
    view: HostedComparison,
    language: Language,
    order: OfferOrder = 'APR',
  ): Promise<readonly ComparedOffer[]> {
    const isShown = isCompared(view.state, view.selected !== null) || view.offerChange === 'OPEN';
    if (!isShown) return [];
    const firstDueOn = addMonths(dayInIndia(this.clock.now()), 1);
    const offers = comparedInOrder(view.offers, order, firstDueOn);
    const { partnerId, journeyId: subjectId, offerRound: round, productCode } = view;
    await this.presentations.shown({
      partnerId,
      subjectId,
      round,
      place: 'PAGE',
      language,
      order,
      productCode,
      offers: offers.map((offer) => onPage(offer, language)),
      lendersWithoutOffer: view.lenders.flatMap(({ code, name, status }) => {
        const standing = STANDINGS[status];
        return standing ? [{ code, name, standing }] : [];
      }),
      notLending: view.notLending,
    });
    return offers;
  }

  async chosen(
    tx: Tx,
    journey: Journey,
    offer: Offer,
    selection: Selection,
    { language, order }: ChoicePlace,
  ): Promise<void> {
    await this.presentations.chosen(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      round: journey.offerRound,
      place: journey.channel === 'API_HOSTED' ? 'PAGE' : 'API',
      language: language ?? null,
      order,
      offerId: offer.id,
      lenderCode: offer.lenderCode,
      loanAmount: selection.loanAmount,
      figures: quotedFigures(selection),
    });
  }
}

function quotedFigures({
  loanAmount: _amount,
  applicationReference: _application,
  branchReference: _branch,
  ...figures
}: Selection): LoanFigures {
  return figures;
}

/** Ties are ordered by APR. */
export function comparedInOrder(
  offers: readonly HostedOffer[],
  order: OfferOrder,
  firstDueOn: IndianDay,
): readonly ComparedOffer[] {
  const figureOf = FIGURES[order];
  return offers
    .map((offer) => compared(offer, firstDueOn))
    .toSorted((one, other) => figureOf(one) - figureOf(other));
}

function compared(offer: HostedOffer, firstDueOn: IndianDay): ComparedOffer {
  const { annualRatePercent, tenureMonths, fees, areFeesPaidFirst } = offer.figures;
  const { totalPayable, netDisbursed, processingFees } = quoteLoan({
    principal: offer.amount,
    annualRatePercent,
    tenureMonths,
    fees,
  });
  const cost = totalPayable - netDisbursed;
  const paidFirst = areFeesPaidFirst ? processingFees : 0;
  return { ...offer, totalPayable: totalPayable + paidFirst, cost, firstDueOn };
}

/** A page shows more than the API, and charges in its language. */
function onPage(offer: ComparedOffer, language: Language): PresentedOffer {
  const { figures, totalPayable, cost, firstDueOn } = offer;
  const { contingentCharges, collateralExplanation, feeOnDecline, texts } = offer.terms;
  return {
    ...presented(offer),
    explanation: collateralExplanation && inLanguage(texts, language, collateralExplanation),
    ...(offer.isChosen && { isChosen: true }),
    feeOnDecline,
    figures: { ...figures, totalPayable, cost, firstDueOn },
    contingentCharges: chargesIn(texts, language, contingentCharges),
    lender: lenderIdentityOf(offer.terms),
  };
}

/** REJECTED without a choice counts too: a comparison without offers. */
function isCompared(state: JourneyState, isChosen: boolean): boolean {
  return state === 'OFFERS_RECEIVED' || (state === 'REJECTED' && !isChosen);
}

function presented(offer: Omit<HostedOffer, 'isChosen' | 'isReleased' | 'kfsUrl'>): PresentedOffer {
  const { contingentCharges, coolingOffDays, coLender, collateralExplanation } = offer.terms;
  return {
    offerId: offer.offerId,
    lenderCode: offer.lenderCode,
    lenderName: offer.lenderName,
    principal: offer.amount,
    minimumAmount: offer.minimumAmount,
    figures: offer.figures,
    contingentCharges,
    coolingOffDays,
    coLender,
    explanation: collateralExplanation,
    validUntil: offer.validUntil,
    isValid: offer.isValid,
  };
}
