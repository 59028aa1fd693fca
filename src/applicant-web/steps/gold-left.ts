import type { PossibleValuation } from '../../journeys/index.js';
import type { Language } from '../../platform/index.js';
import { walkOutAfter } from './pledged-gold.js';

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
