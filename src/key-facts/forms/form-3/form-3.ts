import type { Language } from '../../../platform/index.js';
import type { KeyFactsStatement } from '../../statement/key-facts-statement.js';
import { keyFactsForm2 } from '../form-2/form-2.js';
import type { KeyFactsDocument, KeyFactsWords } from '../key-facts-document.js';

/** What version 3 says in words of its own: the labels that the screens have for these figures. */
const REWORDED: ReadonlySet<string> = new Set([
  'kfs.form3.short.net',
  'kfs.form3.short.net-up-front',
  'kfs.form3.short.repay',
  'kfs.form3.short.repay-detail',
  'kfs.form3.short.apr',
  'kfs.form3.short.cost',
]);

/**
 * Version 3 of the form: version 2, whose short summary names the figures of the loan as the screens do. What was
 * agreed in it is shown in it forever (docs/adr/0009).
 */
export function keyFactsForm3(
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
): KeyFactsDocument {
  return keyFactsForm2(statement, (key, values) => words(wordOf(key), values), language);
}

function wordOf(key: string): string {
  const own = key.replace('kfs.form1.', 'kfs.form3.');
  return REWORDED.has(own) ? own : key;
}
