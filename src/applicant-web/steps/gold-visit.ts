import type { HostedJourneyView, HostedOffer, PossibleValuation } from '../../journeys/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
import type { GoldDocument } from '../../settings/index.js';
import type { Fold } from '../offers/gold-folds.js';

type Terms = HostedOffer['terms'];

/** RBI/2025-26/47, release of collateral: the maximum. */
const MAX_WORKING_DAYS = 7;

/** The short name, and the long one where it differs. */
const DOCUMENT_KEYS: Readonly<Record<GoldDocument, readonly [string, string?]>> = {
  IDENTITY: ['steps.gold.short.identity', 'steps.gold.document.identity'],
  ADDRESS: ['steps.gold.short.address'],
  PAN: ['steps.gold.short.pan'],
  PHOTOGRAPH: ['steps.gold.short.photograph'],
  PURCHASE_BILL: ['steps.gold.short.bill', 'steps.gold.document.bill'],
};

interface ListFold extends Fold {
  readonly items?: readonly string[];
}

/** @param applicant null when erased: the gold is not listed */
export function bringFold(
  { pledge = {} }: Terms,
  applicant: HostedJourneyView['applicant'],
  language: Language,
): ListFold {
  const keys = (pledge.documents ?? []).map((each) => DOCUMENT_KEYS[each]);
  const say = (key: string) => translate(language, key);
  const gold = applicant?.gold;
  const pieces = gold
    ? translate(language, 'offers.gold.pledged', {
        pieces: gold.jewelleryList.join(', '),
        grams: gold.grams,
      })
    : say('offers.gold.own');
  return {
    mark: 'id',
    heading: say('steps.gold.bring'),
    gist: keys.length > 0 ? keys.map(([short]) => say(short)).join(', ') : say('steps.gold.ask'),
    items: [pieces, ...keys.map(([short, whole = short]) => say(whole))],
    texts: [say('steps.gold.stay')],
  };
}

export function backFold({ pledge = {} }: Terms, language: Language): Fold {
  const { returnWithinWorkingDays: count = MAX_WORKING_DAYS, lateReturnPerDay: late } = pledge;
  return {
    mark: 'shield',
    heading: translate(language, 'steps.gold.back'),
    gist:
      count === 0
        ? translate(language, 'steps.gold.back.gist.sameDay')
        : translate(language, 'steps.gold.back.gist', { count }),
    texts: [
      [
        late === undefined
          ? translate(language, 'steps.gold.back.late')
          : translate(language, 'steps.gold.back.late.amount', { amount: formatRupees(late) }),
        translate(language, 'steps.gold.back.compare'),
        translate(language, 'steps.gold.back.coolingOff'),
      ].join(' '),
    ],
  };
}

/** What stopping costs after a possible branch visit with gold. */
export interface GoldLeft {
  /** The valuation's cost; null when none can have been made. */
  readonly walkOut: string | null;
  readonly mayBeCharged: boolean;
}

export function goldLeft(valuations: readonly PossibleValuation[], language: Language): GoldLeft {
  if (valuations.length === 0) return { walkOut: null, mayBeCharged: false };
  const priced = valuations.filter(({ terms }) => terms.pledge?.valuationWithoutLoan !== 0);
  // A free valuation does not help when another lender charges.
  const relevant = priced.length > 0 ? priced : valuations;
  const sentences = relevant.map(({ terms, lenderName }) =>
    walkOutAfter(terms, lenderName, language),
  );
  return { walkOut: [...new Set(sentences)].join(' '), mayBeCharged: priced.length > 0 };
}

/** Too late to ask the branch first. */
function walkOutAfter({ pledge = {} }: Terms, lender: string, language: Language): string {
  const { valuationWithoutLoan: valuation } = pledge;
  if (valuation === undefined) return translate(language, 'steps.gold.leave.askAfter', { lender });
  return valuation === 0
    ? translate(language, 'steps.gold.leave.free')
    : translate(language, 'steps.gold.leave.amount', { lender, amount: formatRupees(valuation) });
}
