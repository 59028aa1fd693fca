import type { HostedJourneyView } from '../../journeys/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';

type Terms = NonNullable<HostedJourneyView['selected']>['offer']['terms'];

/** Said after the fact: it is too late to ask the branch first. */
export function walkOutAfter({ pledge = {} }: Terms, lender: string, language: Language): string {
  const { valuationWithoutLoan: valuation } = pledge;
  if (valuation === undefined) return translate(language, 'steps.gold.leave.askAfter', { lender });
  return valuation === 0
    ? translate(language, 'steps.gold.leave.free')
    : translate(language, 'steps.gold.leave.amount', { lender, amount: formatRupees(valuation) });
}
