import type { HostedOffer, PossibleValuation } from '../../journeys/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';

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
  const told = priced.length > 0 ? priced : valuations;
  const sentences = told.map(({ terms, lenderName }) => walkOutAfter(terms, lenderName, language));
  return { walkOut: [...new Set(sentences)].join(' '), mayBeCharged: priced.length > 0 };
}

type Terms = HostedOffer['terms'];

/** Said after the fact: it is too late to ask the branch first. */
function walkOutAfter({ pledge = {} }: Terms, lender: string, language: Language): string {
  const { valuationWithoutLoan: valuation } = pledge;
  if (valuation === undefined) return translate(language, 'steps.gold.leave.askAfter', { lender });
  return valuation === 0
    ? translate(language, 'steps.gold.leave.free')
    : translate(language, 'steps.gold.leave.amount', { lender, amount: formatRupees(valuation) });
}
