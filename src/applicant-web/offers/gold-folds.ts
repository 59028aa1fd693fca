import type { HostedJourneyView, HostedOffer } from '../../journeys/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
import { explanationIn } from './gold-rows.js';
import type { CardRow } from './offer-card.js';

export type Gold = NonNullable<HostedJourneyView['applicant']>['gold'];

/** A row of the `ui/fold` partial. */
export interface Fold {
  readonly mark: string;
  readonly heading: string;
  readonly gist: string;
  readonly rows?: readonly CardRow[];
  readonly texts: readonly string[];
}

/**
 * Recovery; for a gold loan the auction before it, and the cost of refusing at the branch.
 * @param gold null when unknown
 */
export function unpaidFolds(
  recovery: Fold,
  terms: HostedOffer['terms'],
  gold: Gold,
  language: Language,
): Fold[] {
  if (terms.branches.length === 0) return [recovery];
  const [refusal, unpaid] = goldFolds(terms, language);
  const explanation = explanationIn(terms, language);
  return [
    {
      ...unpaid,
      heading: recovery.heading,
      texts: [...unpaid.texts, `${recovery.gist}.`, ...recovery.texts],
    },
    {
      ...refusal,
      rows: gold ? [pledgedRow(gold, language)] : [],
      texts: [...(explanation === null ? [] : [explanation]), ...refusal.texts],
    },
  ];
}

function pledgedRow({ jewelleryList, grams }: NonNullable<Gold>, language: Language): CardRow {
  return {
    label: translate(language, 'offers.gold.own'),
    value: translate(language, 'offers.gold.pledged', { pieces: jewelleryList.join(', '), grams }),
  };
}

/** The cost of refusing at the branch, and the auction; empty without branches. */
export function goldFolds(
  { branches, pledge = {}, contact, grievanceOfficer }: HostedOffer['terms'],
  language: Language,
): Fold[] {
  if (branches.length === 0) return [];
  const { valuationWithoutLoan: valuation, auctionNoticeDays: count } = pledge;
  const phone = (contact ?? grievanceOfficer).phone.replaceAll(' ', '\u00A0');
  return [
    {
      mark: 'repeat',
      heading: translate(language, 'offers.gold.refuse'),
      gist: refusalGist(valuation, language),
      texts: [translate(language, 'offers.gold.refuse.text', { phone })],
    },
    {
      mark: 'alert',
      heading: translate(language, 'offers.gold.unpaid'),
      gist:
        count === undefined
          ? translate(language, 'offers.gold.unpaid.notice')
          : translate(language, 'offers.gold.unpaid.days', { count }),
      texts: [translate(language, 'offers.gold.unpaid.text')],
    },
  ];
}

function refusalGist(valuation: number | undefined, language: Language): string {
  if (valuation === undefined) return translate(language, 'offers.gold.refuse.ask');
  return valuation === 0
    ? translate(language, 'offers.gold.refuse.free')
    : translate(language, 'offers.gold.refuse.cost', { amount: formatRupees(valuation) });
}
