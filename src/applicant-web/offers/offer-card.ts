import type { HostedOffer } from '../../journeys/index.js';
import { coolingOffCostADay, type PaidOutLoan, type Paise } from '../../loans/index.js';
import type { LenderIdentity } from '../../matching/index.js';
import { formatPercent, formatRupees, type Language, translate } from '../../platform/index.js';
import type { LenderKind } from '../../settings/index.js';

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
  readonly identity: string;
  /** Path; absent: the default icon. */
  readonly logo?: string;
}

export function lenderHead(
  lenderName: string,
  { kind, registration, logo }: LenderIdentity,
  language: Language,
): LenderHead {
  const number = registration;
  // For example "NBFC, RBI no. N-00.00001".
  const identity = [
    kind && translate(language, KIND_KEYS[kind]),
    number && translate(language, 'offers.lender.registration', { number }),
  ];
  return { lenderName, identity: identity.filter(Boolean).join(', '), ...(logo && { logo }) };
}

export interface CardFigure {
  readonly label: string;
  readonly value: string;
  readonly tag?: string;
}

export interface CardRow {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
  readonly tag?: string;
  /** A lender's text, shown whole below its label. */
  readonly isText?: boolean;
}

export interface OfferCard extends LenderHead {
  readonly offerId: string;
  /** Why it cannot be chosen. */
  readonly standing: string | null;
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

export function cardFigures(
  { emi, apr, tenureMonths: count }: Pick<Compared, 'emi' | 'apr'> & { tenureMonths: number },
  language: Language,
  lowest: Pick<Lowest, 'emi' | 'apr'> = { emi: false, apr: false },
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

export function lowestTag(isLowest: boolean, language: Language): { tag?: string } {
  return isLowest ? { tag: translate(language, 'offers.lowest') } : {};
}

/** After fees; paise. */
export function receivedRow(
  {
    netDisbursed,
    processingFees,
    areFeesPaidFirst,
  }: Pick<HostedOffer['figures'], 'netDisbursed' | 'processingFees' | 'areFeesPaidFirst'>,
  language: Language,
): CardRow {
  const fees = formatRupees(processingFees);
  return {
    label: translate(language, 'offers.get'),
    value: formatRupees(netDisbursed),
    note:
      processingFees === 0
        ? translate(language, 'offers.get.whole')
        : translate(language, areFeesPaidFirst ? 'offers.get.feeFirst' : 'offers.get.note', {
            fees,
          }),
  };
}

/** Paise. */
export function repaidRow(
  { total, cost }: { total: Paise; cost: Paise },
  language: Language,
  labelKey = 'offers.repay',
): CardRow {
  return {
    label: translate(language, labelKey),
    value: formatRupees(total),
    note: translate(language, 'offers.repay.note', { cost: formatRupees(cost) }),
  };
}

const RUPEE = 100;

/** For a borrower who leaves within the cooling-off period: the APR on the amount disbursed. */
export function costADay(
  loan: Pick<PaidOutLoan, 'netDisbursed' | 'apr'>,
  language: Language,
): string {
  const cost = coolingOffCostADay(loan);
  if (cost < RUPEE) return translate(language, 'common.under-a-rupee');
  return translate(language, 'common.about', { amount: formatRupees(cost) });
}

export function coLenderRows(
  coLender: { readonly name: string; readonly sharePercent: number } | undefined,
  language: Language,
): CardRow[] {
  if (!coLender) return [];
  const value = `${coLender.name} (${formatPercent(coLender.sharePercent)})`;
  return [{ label: translate(language, 'offers.coLender'), value }];
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
