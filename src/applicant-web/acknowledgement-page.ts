import type { UnacknowledgedTerms } from '../journeys/index.js';
import { readIn } from '../key-facts/index.js';
import {
  type Entered,
  type FormError,
  FormField,
  type Language,
  Page,
  Rule,
} from '../platform/index.js';
import { confirmedTerms } from './offers/confirmed-terms.js';
import { linedUpCharges } from './steps/lined-up-charges.js';

export class ReadKeyFactsForm {
  @Rule('ticked', (value) => value === true, 'steps.confirm.unread')
  @FormField({ as: 'checkbox', wrong: 'steps.confirm.unread' })
  hasRead: boolean;
}

export interface ShownAgain {
  readonly errors?: readonly FormError[];
  readonly entered?: Entered;
  /** Whether the statement differs from the one in the form. */
  readonly hasChanged?: boolean;
}

/**
 * For applicants who chose the offer in the partner's app: shows the terms before the provider's
 * page.
 */
export function acknowledgementPage(
  token: string,
  terms: UnacknowledgedTerms,
  language: Language,
  again: ShownAgain = {},
): Page {
  const { part1 } = readIn(terms.statement, language);
  const [charges] = linedUpCharges([part1.contingentCharges]);
  const model = {
    titleKey: 'offers.confirm',
    isWide: true,
    languageReturn: visitPath(token),
    ...again,
    ...confirmedTerms(terms, charges, language, 'CHOSEN'),
    action: `${visitPath(token)}/acknowledgement`,
    keyFactsHash: terms.keyFactsHash,
    statementHref: terms.kfsUrl,
    provider: terms.provider,
    stopHref: stopPath(token),
  };
  return new Page('offers/acknowledgement', model, again.hasChanged ? 409 : undefined);
}

export function stopPath(token: string): string {
  return `${visitPath(token)}/stop`;
}

export function visitPath(token: string): string {
  return `/r/${encodeURIComponent(token)}`;
}
