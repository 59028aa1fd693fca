import type { PossibleValuation } from '../../journeys/index.js';
import type { Language } from '../../platform/index.js';
import { walkOut } from './pledged-gold.js';

/**
 * What no loan costs an applicant who may have been at a branch with their gold.
 * @returns null for everybody else
 */
export function walkOutOf(
  valuations: readonly PossibleValuation[],
  language: Language,
): string | null {
  if (valuations.length === 0) return null;
  const priced = valuations.filter(({ terms }) => terms.pledge?.valuationWithoutLoan !== 0);
  // That one lender takes nothing is no comfort where another does.
  const told = priced.length > 0 ? priced : valuations;
  const sentences = told.map(({ terms, lenderName }) => walkOut(terms, lenderName, language));
  return [...new Set(sentences)].join(' ');
}
