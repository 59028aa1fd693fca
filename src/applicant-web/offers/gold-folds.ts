import type { ComparedOffer, HostedJourneyView, HostedOffer } from '../../journeys/index.js';
import { roundToRupee } from '../../loans/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
import { inLanguage } from '../../settings/index.js';
import { nearestBranch, type Place } from '../steps/nearest-branch.js';
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

/** @param gold null when unknown */
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

/** Empty without branches. */
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

type Terms = ComparedOffer['terms'];

export interface Near {
  readonly from: Place | null;
  readonly withinKm: number;
}

export function goldRows(terms: Terms, near: Near, language: Language): CardRow[] {
  if (terms.branches.length === 0) return [];
  return [
    ...valueRow(terms, language),
    branchRow(terms, near, language),
    {
      label: translate(language, 'offers.gold.no'),
      value: costOfNo(terms.pledge?.valuationWithoutLoan, language),
    },
  ];
}

function explanationIn({ collateralExplanation, texts }: Terms, language: Language): string | null {
  return collateralExplanation && inLanguage(texts, language, collateralExplanation);
}

function valueRow(terms: Terms, language: Language): CardRow[] {
  const { goldValuation } = terms;
  if (goldValuation) {
    const { netWeightGrams: grams, value, pricePerGram } = goldValuation;
    const price = formatRupees(pricePerGram);
    return [
      {
        label: translate(language, 'offers.gold', { grams }),
        value: formatRupees(roundToRupee(value)),
        note: translate(language, 'offers.gold.price', { price }),
      },
    ];
  }
  const own = explanationIn(terms, language);
  return own === null
    ? []
    : [{ label: translate(language, 'offers.gold.own'), value: own, isText: true }];
}

function branchRow({ branches }: Terms, { from, withinKm }: Near, language: Language): CardRow {
  const label = translate(language, 'offers.branch');
  const nearest = nearestBranch(branches, from, withinKm);
  if (!nearest) {
    const [{ name }, ...others] = branches;
    if (others.length === 0) return { label, value: name };
    return { label, value: translate(language, 'offers.branch.count', { count: branches.length }) };
  }
  const { name, distance, isNear } = nearest;
  return {
    label,
    value: isNear ? name : translate(language, 'offers.branch.far'),
    note: translate(language, isNear ? 'offers.branch.away' : 'offers.branch.nearest', {
      distance,
    }),
  };
}

function costOfNo(paise: number | undefined, language: Language): string {
  if (paise === undefined) return translate(language, 'offers.gold.no.notStated');
  return paise === 0 ? translate(language, 'offers.gold.no.free') : formatRupees(paise);
}
