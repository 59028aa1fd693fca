import type { AskedLender, OfferedLoanView } from '../../instant-loans/index.js';
import { type Language, translate } from '../../platform/index.js';

const STANDINGS: Readonly<Record<AskedLender['standing'], string>> = {
  WAITING: 'offers.without.waiting',
  OFFERED: 'entry.waiting.offered',
  DECLINED: 'offers.without.declined',
  OFFER_REFUSED: 'offers.without.refused',
  PASSED_OVER: 'instant.choose.passedOver',
  UNREACHABLE: 'offers.without.unreachable',
  NO_ANSWER: 'offers.without.silent',
};

const AWAITED: ReadonlySet<AskedLender['standing']> = new Set(['WAITING', 'UNREACHABLE']);

export function shownLender({ name, standing }: AskedLender, language: Language) {
  return {
    name,
    standing: translate(language, STANDINGS[standing]),
    hasOffer: standing === 'OFFERED',
    isAwaited: AWAITED.has(standing),
  };
}

export function lendersWithout(
  { comparison, stillAsked }: Pick<OfferedLoanView, 'comparison' | 'stillAsked'>,
  language: Language,
): { readonly name: string; readonly reason: string }[] {
  const { noOffer, withoutOffer } = comparison;
  return [
    ...[...noOffer, ...stillAsked].map(({ name, standing }) => ({
      name,
      reason: translate(language, STANDINGS[standing]),
    })),
    ...withoutOffer.map((name) => ({
      name,
      reason: translate(language, 'instant.choose.without'),
    })),
  ];
}
