import type { UnacknowledgedTerms } from '../journeys/index.js';
import { type FormError, type Language, Page } from '../platform/index.js';
import { costOfNo, valuationCosts } from './leaving-choices.js';
import { keyFactsSummary } from './steps/key-facts-summary.js';
import { stepPage } from './steps/step-pages.js';

/** What the page is shown again with. */
export interface ShownAgain {
  readonly errors?: readonly FormError[];
  /** The statement is another one than the form stood under. */
  readonly hasChanged?: boolean;
}

/**
 * What an applicant who chose in the partner's app reads before they go on to the provider: the same
 * statement as on the hosted page of confirmation, the same box and one button.
 */
export function acknowledgementPage(
  token: string,
  terms: UnacknowledgedTerms,
  language: Language,
  again: ShownAgain = {},
): Page {
  const summary = keyFactsSummary(terms, language, 'CHOSEN');
  const { lenderName } = summary;
  const model = {
    titleKey: 'steps.acknowledge.title',
    languageReturn: visitPath(token),
    ...again,
    ...summary,
    action: `${visitPath(token)}/acknowledgement`,
    keyFactsHash: terms.keyFactsHash,
    statementHref: terms.kfsUrl,
    provider: terms.provider,
    costKey: costOfNo(terms.offer.terms.branches.length > 0).before,
    valuations: valuationCosts([{ ...terms.offer, lenderName }]),
    stopHref: stopPath(token),
  };
  return stepPage('acknowledgement', model, again.hasChanged ? 409 : undefined);
}

/** Where the applicant says no. */
export function stopPath(token: string): string {
  return `${visitPath(token)}/stop`;
}

export function visitPath(token: string): string {
  return `/r/${encodeURIComponent(token)}`;
}
