import type { HostedJourneyView } from '../../journeys/index.js';
import { type Language, translate } from '../../platform/index.js';
import { type Fold, goldFolds } from '../offers/gold-folds.js';

/** @param mandates of lenders that may have set up Autopay */
export function stoppingFold(
  { selected }: Pick<HostedJourneyView, 'selected'>,
  mandates: readonly { readonly lenderName: string }[],
  language: Language,
): Fold {
  const [gold] = selected?.branch ? goldFolds(selected.offer.terms, language) : [];
  return {
    mark: 'clock',
    heading: translate(language, 'steps.stopNow'),
    gist:
      gold?.gist ??
      translate(language, mandates.length > 0 ? 'steps.stopNow.autopay' : 'steps.stopNow.free'),
    texts: [
      ...mandates.map(({ lenderName: lender }) =>
        translate(language, 'steps.stopNow.mandate', { lender }),
      ),
      translate(language, 'steps.stopNow.enquiry'),
      ...(gold?.texts ?? []),
    ],
  };
}
