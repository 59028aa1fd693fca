import type { ComparedOffer, HostedLender } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { lenderIdentityOf, type OfferOrder } from '../../matching/index.js';
import { formatRupees, say, type Shown } from '../../platform/index.js';
import { confirmPath, suggestedAmount } from '../steps/offer-lookup.js';
import { goldRows, type Near } from './gold-folds.js';
import { lateRow } from './late-charge.js';
import {
  cardFigures,
  type CardRow,
  coLenderRows,
  lenderHead,
  lowestOf,
  lowestTag,
  type OfferCard,
  receivedRow,
  repaidRow,
  row,
} from './offer-card.js';

interface Showing {
  /** Paise. */
  readonly asked: Paise;
  readonly order: OfferOrder;
  readonly near: Near;
}

/** Every offer, in the given order, none hidden. */
export function offerCards(
  offers: readonly ComparedOffer[],
  { asked, order, near }: Showing,
): OfferCard[] {
  const compared = offers.map(comparedOf);
  const choosable = compared.filter((_, place) => offers[place].isValid);
  const isAmountShown = offers.some(({ amount }) => amount !== asked);
  return offers.map((offer, place) => {
    const lowest = lowestOf(compared[place], choosable);
    const { offerId, lenderName, terms, kfsUrl } = offer;
    return {
      offerId,
      ...lenderHead(lenderName, lenderIdentityOf(terms)),
      standing: standingOf(offer),
      figures: cardFigures(offer.figures, lowest),
      rows: [
        ...(isAmountShown ? [amountRow(offer)] : []),
        receivedRow(offer.figures),
        {
          ...repaidRow(
            { total: offer.totalPayable, cost: offer.cost },
            offer.figures.areFeesPaidFirst ? 'instant.repay' : 'offers.repay',
          ),
          ...lowestTag(lowest.total),
        },
        lateRow(terms),
      ],
      ownRows: [...coLenderRows(terms.coLender), ...goldRows(terms, near)],
      kfsHref: kfsUrl,
      ...(offer.isValid &&
        !offer.isChosen && {
          chooseHref: confirmPath(offerId, suggestedAmount(offer, asked), order),
        }),
    };
  });
}

function comparedOf({ figures, totalPayable: total, amount }: ComparedOffer) {
  return { emi: figures.instalment, apr: figures.apr, total, amount };
}

function standingOf({ isChosen, isReleased, isValid }: ComparedOffer) {
  if (isChosen) return say('offers.standing.chosen');
  if (isReleased) return say('offers.standing.released');
  return isValid ? null : say('offers.standing.expired');
}

function amountRow({ amount }: ComparedOffer): CardRow {
  return row('offers.amount', formatRupees(amount));
}

export const NO_OFFER_REASONS: Readonly<Record<HostedLender['status'], string | null>> = {
  OFFERED: null,
  NO_OFFER: 'offers.without.declined',
  NO_ANSWER: 'offers.without.silent',
  UNREACHABLE: 'offers.without.unreachable',
  OFFER_REFUSED: 'offers.without.refused',
  WAITING: 'offers.without.waiting',
};

export interface LenderWithout {
  readonly name: string;
  readonly reason: Shown;
}

export function lendersWithout(lenders: readonly HostedLender[]): LenderWithout[] {
  return lenders.flatMap(({ name, status }) => {
    const key = NO_OFFER_REASONS[status];
    return key === null ? [] : [{ name, reason: say(key) }];
  });
}
