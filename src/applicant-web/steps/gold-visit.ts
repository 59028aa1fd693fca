import type { HostedJourneyView, HostedOffer, PossibleValuation } from '../../journeys/index.js';
import { formatRupees, joined, PageText, say, type Shown, written } from '../../platform/index.js';
import type { GoldDocument } from '../../settings/index.js';
import { type Fold, pledged } from '../offers/gold-folds.js';

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
  readonly items?: readonly Shown[];
}

/** @param applicant null when erased: the gold is not listed */
export function bringFold(
  { pledge = {} }: Terms,
  applicant: HostedJourneyView['applicant'],
): ListFold {
  const keys = (pledge.documents ?? []).map((each) => DOCUMENT_KEYS[each]);
  const names = keys.map(([short]) => say(short));
  const gold = applicant?.gold;
  return {
    mark: 'id',
    heading: say('steps.gold.bring'),
    gist: names.length > 0 ? joined(names, ', ') : say('steps.gold.ask'),
    items: [
      gold ? pledged(gold) : say('offers.gold.own'),
      ...keys.map(([short, whole = short]) => say(whole)),
    ],
    texts: [say('steps.gold.stay')],
  };
}

export function backFold({ pledge = {} }: Terms): Fold {
  const { returnWithinWorkingDays: count = MAX_WORKING_DAYS, lateReturnPerDay: late } = pledge;
  return {
    mark: 'shield',
    heading: say('steps.gold.back'),
    gist:
      count === 0 ? say('steps.gold.back.gist.sameDay') : say('steps.gold.back.gist', { count }),
    texts: [
      joined([
        late === undefined
          ? say('steps.gold.back.late')
          : say('steps.gold.back.late.amount', { amount: formatRupees(late) }),
        say('steps.gold.back.compare'),
        say('steps.gold.back.coolingOff'),
      ]),
    ],
  };
}

/** What stopping costs after a possible branch visit with gold. */
export interface GoldLeft {
  /** The valuation's cost; null when none can have been made. */
  readonly walkOut: Shown | null;
  readonly mayBeCharged: boolean;
}

export function goldLeft(valuations: readonly PossibleValuation[]): GoldLeft {
  if (valuations.length === 0) return { walkOut: null, mayBeCharged: false };
  const priced = valuations.filter(({ terms }) => terms.pledge?.valuationWithoutLoan !== 0);
  // A free valuation does not help when another lender charges.
  const named = priced.length > 0 ? priced : valuations;
  const sentences = named.map(({ terms, lenderName }) => walkOutAfter(terms, lenderName));
  const walkOut = new PageText((language) => [...new Set(written(sentences, language))].join(' '));
  return { walkOut, mayBeCharged: priced.length > 0 };
}

/** Too late to ask the branch first. */
function walkOutAfter({ pledge = {} }: Terms, lender: string): Shown {
  const { valuationWithoutLoan: valuation } = pledge;
  if (valuation === undefined) return say('steps.gold.leave.askAfter', { lender });
  return valuation === 0
    ? say('steps.gold.leave.free')
    : say('steps.gold.leave.amount', { lender, amount: formatRupees(valuation) });
}
