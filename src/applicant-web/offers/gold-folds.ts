import type { ComparedOffer, HostedJourneyView, HostedOffer } from '../../journeys/index.js';
import { roundToRupee } from '../../loans/index.js';
import { formatRupees, joined, say, type Shown } from '../../platform/index.js';
import { nearestBranch, type Place } from '../steps/nearest-branch.js';
import { type CardRow, row, sayOwn } from './offer-card.js';

export type Gold = NonNullable<HostedJourneyView['applicant']>['gold'];

/** A row of the `ui/fold` partial. */
export interface Fold {
  readonly mark: string;
  readonly heading: Shown;
  readonly gist: Shown;
  readonly rows?: readonly CardRow[];
  readonly texts: readonly Shown[];
}

/** @param gold null when unknown */
export function unpaidFolds(recovery: Fold, terms: HostedOffer['terms'], gold: Gold): Fold[] {
  if (terms.branches.length === 0) return [recovery];
  const [refusal, unpaid] = goldFolds(terms);
  const explanation = explanationIn(terms);
  return [
    {
      ...unpaid,
      heading: recovery.heading,
      texts: [...unpaid.texts, joined([recovery.gist, '.'], ''), ...recovery.texts],
    },
    {
      ...refusal,
      rows: gold ? [row('offers.gold.own', pledged(gold))] : [],
      texts: [...(explanation ? [explanation] : []), ...refusal.texts],
    },
  ];
}

export function pledged({ jewelleryList, grams }: NonNullable<Gold>): Shown {
  return say('offers.gold.pledged', { pieces: jewelleryList.join(', '), grams });
}

/** Empty without branches. */
export function goldFolds({
  branches,
  pledge = {},
  contact,
  grievanceOfficer,
}: HostedOffer['terms']): Fold[] {
  if (branches.length === 0) return [];
  const { valuationWithoutLoan: valuation, auctionNoticeDays: count } = pledge;
  const phone = (contact ?? grievanceOfficer).phone.replaceAll(' ', '\u00A0');
  return [
    {
      mark: 'repeat',
      heading: say('offers.gold.refuse'),
      gist: refusalGist(valuation),
      texts: [say('offers.gold.refuse.text', { phone })],
    },
    {
      mark: 'alert',
      heading: say('offers.gold.unpaid'),
      gist:
        count === undefined
          ? say('offers.gold.unpaid.notice')
          : say('offers.gold.unpaid.days', { count }),
      texts: [say('offers.gold.unpaid.text')],
    },
  ];
}

function refusalGist(valuation: number | undefined): Shown {
  if (valuation === undefined) return say('offers.gold.refuse.ask');
  return valuation === 0
    ? say('offers.gold.refuse.free')
    : say('offers.gold.refuse.cost', { amount: formatRupees(valuation) });
}

type Terms = ComparedOffer['terms'];

export interface Near {
  readonly from: Place | null;
  readonly withinKm: number;
}

export function goldRows(terms: Terms, near: Near): CardRow[] {
  if (terms.branches.length === 0) return [];
  return [
    ...valueRow(terms),
    branchRow(terms, near),
    row('offers.gold.no', costOfNo(terms.pledge?.valuationWithoutLoan)),
  ];
}

function explanationIn({ collateralExplanation, texts }: Terms): Shown | null {
  return collateralExplanation && sayOwn(texts, collateralExplanation);
}

function valueRow(terms: Terms): CardRow[] {
  const { goldValuation } = terms;
  if (goldValuation) {
    const { netWeightGrams: grams, value, pricePerGram } = goldValuation;
    const price = formatRupees(pricePerGram);
    return [
      {
        label: say('offers.gold', { grams }),
        value: formatRupees(roundToRupee(value)),
        note: say('offers.gold.price', { price }),
      },
    ];
  }
  const own = explanationIn(terms);
  return own ? [{ ...row('offers.gold.own', own), isText: true }] : [];
}

function branchRow({ branches }: Terms, { from, withinKm }: Near): CardRow {
  const nearest = nearestBranch(branches, from, withinKm);
  if (!nearest) {
    const [{ name }, ...others] = branches;
    const count = branches.length;
    return row('offers.branch', others.length > 0 ? say('offers.branch.count', { count }) : name);
  }
  const { name, distance, isNear } = nearest;
  return row(
    'offers.branch',
    isNear ? name : say('offers.branch.far'),
    say(isNear ? 'offers.branch.away' : 'offers.branch.nearest', { distance }),
  );
}

function costOfNo(paise: number | undefined): Shown {
  if (paise === undefined) return say('offers.gold.no.notStated');
  return paise === 0 ? say('offers.gold.no.free') : formatRupees(paise);
}
