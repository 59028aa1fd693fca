import type { Paise } from '../../loans/index.js';
import { formatPercent, formatRupees, type Language, translate } from '../../platform/index.js';

/** A large number with its label under it, of the `ui/figures` partial. */
export interface CardFigure {
  readonly label: string;
  readonly value: string;
  /** Beside the figure that wins. */
  readonly tag?: string;
}

/** A fact of the `ui/rows` partial. */
export interface CardRow {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
  readonly tag?: string;
  /** A text of the lender's, shown whole under its label. */
  readonly isText?: boolean;
}

/** An offer as the `ui/offer-card` partial draws it: the same rows in the same order for every lender. */
export interface OfferCard {
  readonly offerId: string;
  readonly lenderName: string;
  /** What the lender is in law, and its registration; empty where that is not known. */
  readonly identity: string;
  /** Path of its logo; left out: its mark. */
  readonly logo?: string;
  /** Why it cannot be chosen; null where it can. */
  readonly standing: string | null;
  readonly figures: readonly CardFigure[];
  readonly rows: readonly CardRow[];
  /** What only this kind of loan has. */
  readonly ownRows: readonly CardRow[];
  readonly kfsHref: string;
  readonly chooseHref?: string;
}

/** What offers are compared by. */
export interface Compared {
  readonly emi: Paise;
  readonly apr: number;
  readonly total: Paise;
  readonly amount: Paise;
}

/** The tags of an offer: of what it has the lowest figure of all. */
export interface Lowest {
  readonly emi: boolean;
  readonly apr: boolean;
  readonly total: boolean;
}

/**
 * Which figures of an offer are the lowest of those that can be chosen. Nothing is said of a single offer, and of
 * different amounts only the APR: a smaller loan has a smaller instalment.
 */
export function lowestOf(offer: Compared, choosable: readonly Compared[]): Lowest {
  const isCompared = choosable.length > 1 && choosable.includes(offer);
  const isSameAmount = choosable.every(({ amount }) => amount === offer.amount);
  const leads = (figure: 'emi' | 'apr' | 'total') =>
    isCompared && choosable.every((other) => offer[figure] <= other[figure]);
  return {
    apr: leads('apr'),
    emi: isSameAmount && leads('emi'),
    total: isSameAmount && leads('total'),
  };
}

/** The instalment and the APR. */
export function cardFigures(
  { emi, apr, tenureMonths: count }: Pick<Compared, 'emi' | 'apr'> & { tenureMonths: number },
  lowest: Lowest,
  language: Language,
): CardFigure[] {
  return [
    {
      label: translate(language, 'offers.emi', { count }),
      value: formatRupees(emi),
      ...lowestTag(lowest.emi, language),
    },
    {
      label: translate(language, 'offers.apr'),
      value: formatPercent(apr),
      ...lowestTag(lowest.apr, language),
    },
  ];
}

/** `{ tag: 'lowest' }` of the figure that wins, else nothing. */
export function lowestTag(isLowest: boolean, language: Language): { tag?: string } {
  return isLowest ? { tag: translate(language, 'offers.lowest') } : {};
}

/** What is paid out once the fees are taken off; in paise. */
export function receivedRow(
  { netDisbursed, processingFees }: { netDisbursed: Paise; processingFees: Paise },
  language: Language,
): CardRow {
  const fees = formatRupees(processingFees);
  return {
    label: translate(language, 'offers.get'),
    value: formatRupees(netDisbursed),
    note:
      processingFees === 0
        ? translate(language, 'offers.get.whole')
        : translate(language, 'offers.get.note', { fees }),
  };
}

/** What is repaid in total, and how much more that is than what is received; in paise. */
export function repaidRow(
  { total, cost }: { total: Paise; cost: Paise },
  language: Language,
): CardRow {
  return {
    label: translate(language, 'offers.repay'),
    value: formatRupees(total),
    note: translate(language, 'offers.repay.note', { cost: formatRupees(cost) }),
  };
}
