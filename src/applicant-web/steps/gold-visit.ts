import type { HostedJourneyView } from '../../journeys/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
import type { GoldDocument } from '../../settings/index.js';
import type { Fold } from '../offers/gold-folds.js';

type Terms = NonNullable<HostedJourneyView['selected']>['offer']['terms'];

/** RBI/2025-26/47, release of collateral: no lender may take longer. */
const MAX_WORKING_DAYS = 7;

const DOCUMENT_NAMES: Readonly<Record<GoldDocument, string>> = {
  IDENTITY: 'identity',
  ADDRESS: 'address',
  PAN: 'pan',
  PHOTOGRAPH: 'photograph',
  PURCHASE_BILL: 'bill',
};

/** A fold of the `steps/folds` partial with a list. */
export interface ListFold extends Fold {
  readonly items?: readonly string[];
}

/** What to take to the branch. @param applicant null when erased: then the gold is not listed */
export function bringFold(
  { pledge = {} }: Terms,
  applicant: HostedJourneyView['applicant'],
  language: Language,
): ListFold {
  const names = (pledge.documents ?? []).map((each) => DOCUMENT_NAMES[each]);
  const say = (key: string) => translate(language, key);
  const gold = applicant?.gold;
  const pieces = gold
    ? translate(language, 'steps.gold.pieces', {
        pieces: gold.jewelleryList.join(', '),
        grams: gold.grams,
      })
    : say('steps.gold.yours');
  return {
    mark: 'id',
    heading: say('steps.gold.bring'),
    gist: ['gold', ...names].map((name) => say(`steps.gold.short.${name}`)).join(', '),
    items: [pieces, ...names.map((name) => say(`steps.gold.document.${name}`))],
    texts: [say(names.length > 0 ? 'steps.gold.stay' : 'steps.gold.stay.ask')],
  };
}

/** When pledged gold comes back. */
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
