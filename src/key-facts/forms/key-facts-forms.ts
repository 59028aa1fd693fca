import type { KeyFactsDocument, KeyFactsWords } from './key-facts-document.js';
import type { Language } from '../../platform/index.js';
import { keyFactsForm5 } from './form-5/form-5.js';
import type { KeyFactsStatement } from '../domain/key-facts-statement.js';

type KeyFactsForm = (
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
) => KeyFactsDocument;

/** Versions that may have been agreed to are never removed. */
export const FORMS: ReadonlyMap<string, KeyFactsForm> = new Map([['5', keyFactsForm5]]);

export const CURRENT_FORM_VERSION = '5';

/**
 * Renders a statement in the form version it names. Pure.
 * @throws RangeError for an unknown version, an unsafe amount or a malformed date
 */
export function keyFactsDocument(
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
): KeyFactsDocument {
  const form = FORMS.get(statement.templateVersion);
  if (!form) {
    throw new RangeError(`There is no version ${statement.templateVersion} of the form`);
  }
  return form(statement, words, language);
}
