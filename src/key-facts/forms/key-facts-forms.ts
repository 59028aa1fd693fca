import type { KeyFactsDocument, KeyFactsWords } from './key-facts-document.js';
import type { Language } from '../../platform/index.js';
import { keyFactsForm5 } from './form-5/form-5.js';
import type { KeyFactsStatement } from '../statement/key-facts-statement.js';

type KeyFactsForm = (
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
) => KeyFactsDocument;

/** The versions of the form. One in which an applicant may have agreed to a statement is never removed. */
export const FORMS: ReadonlyMap<string, KeyFactsForm> = new Map([['5', keyFactsForm5]]);

/** The version in which new statements are drawn up. */
export const CURRENT_FORM_VERSION = '5';

/**
 * Puts a statement into words, in the version of the form that it names: what was agreed is shown
 * as it was agreed. Pure: the same statement, words and language always give the same document.
 * @throws RangeError when the statement names a form that there is none of, holds an unsafe amount
 *   or a malformed date.
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
