import type { HostedJourneyView } from '../../journeys/index.js';
import { type Language, translate } from '../../platform/index.js';
import type { Fold } from '../offers/gold-folds.js';

/** What stopping means before the signature. @param mandates of lenders that may have set up Autopay */
export function stoppingFold(
  { selected }: Pick<HostedJourneyView, 'selected'>,
  mandates: readonly { readonly lenderName: string }[],
  language: Language,
): Fold {
  return {
    mark: 'repeat',
    heading: translate(language, 'steps.stopNow'),
    gist: translate(language, gistKey(selected, mandates.length > 0)),
    texts: [
      ...mandates.map(({ lenderName: lender }) =>
        translate(language, 'steps.stopNow.mandate', { lender }),
      ),
      translate(language, 'steps.stopNow.enquiry'),
    ],
  };
}

function gistKey(selected: HostedJourneyView['selected'], hasMandate: boolean): string {
  if (selected?.branch) return 'steps.stopNow.gold';
  return hasMandate ? 'steps.stopNow.autopay' : 'steps.stopNow.free';
}
