import type { PossibleValuation } from '../../journeys/index.js';
import type { Language } from '../../platform/index.js';
import { walkOutAfter } from './pledged-gold.js';

/** What no loan costs an applicant who may have been at a branch with their gold. */
export interface GoldLeft {
  /** What the valuation costs; null where none can have been made. */
  readonly walkOut: string | null;
  /** Whether a valuation that was made may have to be paid for. */
  readonly mayBeCharged: boolean;
}

export function goldLeft(valuations: readonly PossibleValuation[], language: Language): GoldLeft {
  if (valuations.length === 0) return { walkOut: null, mayBeCharged: false };
  const priced = valuations.filter(({ terms }) => terms.pledge?.valuationWithoutLoan !== 0);
  // That one lender takes nothing is no comfort where another does.
  const told = priced.length > 0 ? priced : valuations;
  const sentences = told.map(({ terms, lenderName }) => walkOutAfter(terms, lenderName, language));
  return { walkOut: [...new Set(sentences)].join(' '), mayBeCharged: priced.length > 0 };
}
