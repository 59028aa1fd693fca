import type { Language } from '../../../platform/index.js';
import type { KeyFactsStatement } from '../../statement/key-facts-statement.js';
import { readIn } from '../../statement/own-words.js';
import { keyFactsForm1 } from '../form-1/form-1.js';
import type { KeyFactsDocument, KeyFactsWords } from '../key-facts-document.js';

/** What version 2 says in words of its own. */
const REWORDED: ReadonlySet<string> = new Set([
  'kfs.form2.issued',
  'kfs.form2.fixed-rate',
  'kfs.form2.part1.instalment-type-detail',
  'kfs.form2.part1.floating',
  'kfs.form2.part1.floating-detail',
  'kfs.form2.fees.amount',
  'kfs.form2.apr.meaning',
  'kfs.form2.contingent.detail',
  'kfs.form2.annex-b.instalments',
  'kfs.form2.annex-b.instalments-detail',
  'kfs.form2.annex-b.fixed',
  'kfs.form2.annex-b.total',
  'kfs.form2.annex-b.due-detail',
  'kfs.form2.annex-b.note',
  'kfs.form2.annex-c.closing',
  'kfs.form2.annex-c.note',
  'kfs.form2.colophon',
]);

/**
 * Version 2 of the form: the order of version 1, with the lender's and the product's own texts in the reader's
 * language as far as the statement has them, and with the Hindi words that the screens have. What was agreed
 * in it is shown in it forever (docs/adr/0009).
 */
export function keyFactsForm2(
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
): KeyFactsDocument {
  return keyFactsForm1(readIn(statement, language), (key, values) => words(wordOf(key), values));
}

function wordOf(key: string): string {
  const own = key.replace('kfs.form1.', 'kfs.form2.');
  return REWORDED.has(own) ? own : key;
}
