import type { KeyFactsDocument, KeyFactsWords } from './key-facts-document.js';
import type { Language } from '../../platform/index.js';
import { keyFactsForm5 } from './form-5/form-5.js';
import { keyFactsForm4 } from './form-4/form-4.js';
import { keyFactsForm3 } from './form-3/form-3.js';
import { keyFactsForm2 } from './form-2/form-2.js';
import { keyFactsForm1 } from './form-1/form-1.js';
import type { KeyFactsStatement } from '../statement/key-facts-statement.js';

type KeyFactsForm = (
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
) => KeyFactsDocument;

/** Every version of the form in which anything was ever agreed. None is ever taken away. */
const FORMS: ReadonlyMap<string, KeyFactsForm> = new Map<string, KeyFactsForm>([
  ['1', keyFactsForm1],
  ['2', keyFactsForm2],
  ['3', keyFactsForm3],
  ['4', keyFactsForm4],
  ['5', keyFactsForm5],
]);

/** The version in which statements of offers are drawn up that an earlier release has kept. */
export const FIRST_FORM_VERSION = '1';

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
