import type { OfferedLoanView } from '../../instant-loans/index.js';
import type { HostedLender } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
import { type CardRow, repaidRow } from '../offers/offer-card.js';

const STANDINGS: Readonly<Record<HostedLender['status'], string>> = {
  WAITING: 'offers.without.waiting',
  OFFERED: 'entry.waiting.offered',
  NO_OFFER: 'offers.without.declined',
  OFFER_REFUSED: 'offers.without.refused',
  UNREACHABLE: 'offers.without.unreachable',
  NO_ANSWER: 'offers.without.silent',
};

const AWAITED: ReadonlySet<HostedLender['status']> = new Set(['WAITING', 'UNREACHABLE']);

export function shownLender({ name, status }: HostedLender, language: Language) {
  return {
    name,
    standing: translate(language, STANDINGS[status]),
    hasOffer: status === 'OFFERED',
    isAwaited: AWAITED.has(status),
  };
}

export function lendersWithout(
  { lenders, notLending }: Pick<OfferedLoanView, 'lenders' | 'notLending'>,
  language: Language,
): { readonly name: string; readonly reason: string }[] {
  const without = lenders.filter(({ status }) => status !== 'OFFERED');
  return [
    ...without.map(({ name, status }) => ({
      name,
      reason: translate(language, STANDINGS[status]),
    })),
    ...notLending.map((name) => ({ name, reason: translate(language, 'instant.choose.without') })),
  ];
}

/** Paise. The fee is paid separately, so the whole loan is disbursed. */
interface Money {
  readonly loanAmount: Paise;
  readonly fee: Paise;
  readonly totalPayable: Paise;
}

export function receivedRow(loanAmount: Paise, language: Language): CardRow {
  return { label: translate(language, 'offers.get'), value: formatRupees(loanAmount) };
}

export function repaidWithFeeRow(
  { loanAmount, fee, totalPayable }: Money,
  language: Language,
): CardRow {
  const total = totalPayable + fee;
  return repaidRow({ total, cost: total - loanAmount }, language, 'instant.repay');
}

export function runningName({
  lender,
  lenderName,
}: Pick<OfferedLoanView, 'lender' | 'lenderName'>): string {
  return lender.shortName ?? lenderName;
}

export function daysText(count: number, language: Language): string {
  return translate(language, 'common.offer.days', { count });
}

export function softText(language: Language): string {
  return translate(language, 'instant.pay.soft');
}
