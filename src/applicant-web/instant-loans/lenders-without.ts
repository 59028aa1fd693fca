import type { HostedLender } from '../../journeys/index.js';
import type { OfferedLoanView } from '../../instant-loans/index.js';
import { type Language, translate } from '../../platform/index.js';

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
