import type { HostedOffer } from '../../journeys/index.js';
import { coolingOffCostADay, type PaidOutLoan, type Paise } from '../../loans/index.js';
import type { LenderIdentity } from '../../matching/index.js';
import {
  formatPercent,
  formatRupees,
  joined,
  PageText,
  say,
  type Shown,
} from '../../platform/index.js';
import { inLanguage, type LenderKind, type OwnTexts } from '../../settings/index.js';

const KIND_KEYS: Readonly<Record<LenderKind, string>> = {
  BANK: 'offers.lender.bank',
  SMALL_FINANCE_BANK: 'offers.lender.smallFinanceBank',
  REGIONAL_RURAL_BANK: 'offers.lender.regionalRuralBank',
  COOPERATIVE_BANK: 'offers.lender.cooperativeBank',
  NBFC: 'offers.lender.nbfc',
  NBFC_MFI: 'offers.lender.nbfcMfi',
  HOUSING_FINANCE_COMPANY: 'offers.lender.housingFinanceCompany',
};

export interface LenderHead {
  readonly lenderName: string;
  readonly identity: Shown;
  /** Path; absent: the default icon. */
  readonly logo?: string;
}

export function lenderHead(
  lenderName: string,
  { kind, registration, logo }: LenderIdentity,
): LenderHead {
  const number = registration;
  // For example "NBFC, RBI no. N-00.00001".
  const identity = [
    kind && say(KIND_KEYS[kind]),
    number && say('offers.lender.registration', { number }),
  ];
  return { lenderName, identity: joined(identity, ', '), logo };
}

export interface CardFigure {
  readonly label: Shown;
  readonly value: string;
  readonly tag?: Shown;
}

export interface CardRow {
  readonly label: Shown;
  readonly value: Shown;
  readonly note?: Shown;
  readonly tag?: Shown;
  /** A lender's text, shown whole below its label. */
  readonly isText?: boolean;
}

export function row(key: string, value: Shown, note?: Shown): CardRow {
  return { label: say(key), value, note };
}

/** A text of the configuration or of a lender. */
export function sayOwn(texts: OwnTexts | null | undefined, text: string): Shown {
  return new PageText((language) => inLanguage(texts, language, text));
}

export interface OfferCard extends LenderHead {
  readonly offerId: string;
  /** Why it cannot be chosen. */
  readonly standing: Shown | null;
  readonly figures: readonly CardFigure[];
  readonly rows: readonly CardRow[];
  readonly ownRows: readonly CardRow[];
  readonly kfsHref: string;
  readonly chooseHref?: string;
}

export interface Compared {
  readonly emi: Paise;
  readonly apr: number;
  readonly total: Paise;
  readonly amount: Paise;
}

interface Lowest {
  readonly emi: boolean;
  readonly apr: boolean;
  readonly total: boolean;
}

/** Different amounts are compared by APR only: a smaller loan has a smaller instalment. */
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

type CardTerms = Pick<HostedOffer['figures'], 'instalment' | 'apr' | 'tenureMonths'>;

export function cardFigures(
  { instalment, apr, tenureMonths: count }: CardTerms,
  lowest: Pick<Lowest, 'emi' | 'apr'> = { emi: false, apr: false },
): CardFigure[] {
  return [
    {
      label: say('offers.emi', { count }),
      value: formatRupees(instalment),
      ...lowestTag(lowest.emi),
    },
    { label: say('offers.apr'), value: formatPercent(apr), ...lowestTag(lowest.apr) },
  ];
}

export function lowestTag(isLowest: boolean): { tag?: Shown } {
  return isLowest ? { tag: say('offers.lowest') } : {};
}

/** After fees; paise. */
export function receivedRow({
  netDisbursed,
  processingFees,
  areFeesPaidFirst,
}: Pick<HostedOffer['figures'], 'netDisbursed' | 'processingFees' | 'areFeesPaidFirst'>): CardRow {
  const fees = formatRupees(processingFees);
  const note =
    processingFees === 0
      ? say('offers.get.whole')
      : say(areFeesPaidFirst ? 'offers.get.feeFirst' : 'offers.get.note', { fees });
  return row('offers.get', formatRupees(netDisbursed), note);
}

/** Paise. */
export function repaidRow(
  { total, cost }: { total: Paise; cost: Paise },
  labelKey = 'offers.repay',
): CardRow {
  const note = say('offers.repay.note', { cost: formatRupees(cost) });
  return row(labelKey, formatRupees(total), note);
}

const RUPEE = 100;

/** For a borrower who leaves within the cooling-off period: the APR on the amount disbursed. */
export function costADay(loan: Pick<PaidOutLoan, 'netDisbursed' | 'apr'>): Shown {
  const cost = coolingOffCostADay(loan);
  if (cost < RUPEE) return say('common.under-a-rupee');
  return say('common.about', { amount: formatRupees(cost) });
}

export function coLenderRows(
  coLender: { readonly name: string; readonly sharePercent: number } | undefined,
): CardRow[] {
  if (!coLender) return [];
  const value = `${coLender.name} (${formatPercent(coLender.sharePercent)})`;
  return [row('offers.coLender', value)];
}

export function shortName({
  lenderName,
  terms,
}: {
  readonly lenderName: string;
  readonly terms: { readonly lenderShortName?: string };
}): string {
  return terms.lenderShortName ?? lenderName;
}

const SHOWN = 4;

/** `••••9012`, whatever the number's length. */
export function shortAccount(maskedNumber: string): string {
  return `${'•'.repeat(SHOWN)}${maskedNumber.slice(-SHOWN)}`;
}
