import type { OfferedLoanView } from '../../instant-loans/index.js';
import type { HostedLender } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { formatRupees, say, type Shown } from '../../platform/index.js';
import { type CardRow, repaidRow, row } from '../offers/offer-card.js';
import { lendersWithout, type LenderWithout, NO_OFFER_REASONS } from '../offers/offer-cards.js';

const AWAITED: ReadonlySet<HostedLender['status']> = new Set(['WAITING', 'UNREACHABLE']);

export function shownLender({ name, status }: HostedLender) {
  return {
    name,
    standing: say(NO_OFFER_REASONS[status] ?? 'entry.waiting.offered'),
    hasOffer: status === 'OFFERED',
    isAwaited: AWAITED.has(status),
  };
}

export function instantLendersWithout({
  lenders,
  notLending,
}: Pick<OfferedLoanView, 'lenders' | 'notLending'>): LenderWithout[] {
  return [
    ...lendersWithout(lenders),
    ...notLending.map((name) => ({ name, reason: say('instant.choose.without') })),
  ];
}

/** Paise. The fee is paid separately, so the whole loan is disbursed. */
interface Money {
  readonly loanAmount: Paise;
  readonly fee: Paise;
  readonly totalPayable: Paise;
}

export function receivedRow(loanAmount: Paise): CardRow {
  return row('offers.get', formatRupees(loanAmount));
}

export function repaidWithFeeRow({ loanAmount, fee, totalPayable }: Money): CardRow {
  const total = totalPayable + fee;
  return repaidRow({ total, cost: total - loanAmount }, 'instant.repay');
}

export function runningName({
  lender,
  lenderName,
}: Pick<OfferedLoanView, 'lender' | 'lenderName'>): string {
  return lender.shortName ?? lenderName;
}

export function daysText(count: number): Shown {
  return say('common.offer.days', { count });
}
