import type { ComparedOffer, HostedLender } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { lenderIdentityOf, type OfferOrder } from '../../matching/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
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
  language: Language,
): OfferCard[] {
  const compared = offers.map(comparedOf);
  const choosable = compared.filter((_, place) => offers[place].isValid);
  const isAmountShown = offers.some(({ amount }) => amount !== asked);
  return offers.map((offer, place) => {
    const lowest = lowestOf(compared[place], choosable);
    const { offerId, lenderName, terms, kfsUrl } = offer;
    return {
      offerId,
      ...lenderHead(lenderName, lenderIdentityOf(terms), language),
      standing: standingOf(offer, language),
      figures: cardFigures(
        { ...compared[place], tenureMonths: offer.figures.tenureMonths },
        language,
        lowest,
      ),
      rows: [
        ...(isAmountShown ? [amountRow(offer, language)] : []),
        receivedRow(offer.figures, language),
        {
          ...repaidRow(
            { total: offer.totalPayable, cost: offer.cost },
            language,
            offer.figures.areFeesPaidFirst ? 'instant.repay' : 'offers.repay',
          ),
          ...lowestTag(lowest.total, language),
        },
        lateRow(terms, language),
      ],
      ownRows: [...coLenderRows(terms.coLender, language), ...goldRows(terms, near, language)],
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

function standingOf({ isChosen, isReleased, isValid }: ComparedOffer, language: Language) {
  if (isChosen) return translate(language, 'offers.standing.chosen');
  if (isReleased) return translate(language, 'offers.standing.released');
  return isValid ? null : translate(language, 'offers.standing.expired');
}

function amountRow({ amount }: ComparedOffer, language: Language): CardRow {
  return { label: translate(language, 'offers.amount'), value: formatRupees(amount) };
}

const REASONS: Readonly<Record<HostedLender['status'], string | null>> = {
  OFFERED: null,
  NO_OFFER: 'offers.without.declined',
  NO_ANSWER: 'offers.without.silent',
  UNREACHABLE: 'offers.without.unreachable',
  OFFER_REFUSED: 'offers.without.refused',
  WAITING: 'offers.without.waiting',
};

export function lendersWithout(
  lenders: readonly HostedLender[],
  language: Language,
): { readonly name: string; readonly reason: string }[] {
  return lenders.flatMap(({ name, status }) => {
    const key = REASONS[status];
    return key === null ? [] : [{ name, reason: translate(language, key) }];
  });
}
