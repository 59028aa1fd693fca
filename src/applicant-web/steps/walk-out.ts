import type { HostedJourneyView } from '../../journeys/index.js';
import type { Language } from '../../platform/index.js';
import { walkOut } from './pledged-gold.js';

/**
 * What no loan costs an applicant who may have been at a branch with their gold.
 * @returns null for everybody else
 */
export function walkOutOf(
  { selected }: Pick<HostedJourneyView, 'selected'>,
  language: Language,
): string | null {
  if (!selected?.branch) return null;
  return walkOut(selected.offer.terms, selected.offer.lenderName, language);
}
