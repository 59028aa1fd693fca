import { formatRupees } from '../../../loans/index.js';
import type { Language } from '../../../platform/index.js';
import type { KeyFactsStatement } from '../../statement/key-facts-statement.js';
import { keyFactsForm3 } from '../form-3/form-3.js';
import type {
  KeyFactsBlock,
  KeyFactsCell,
  KeyFactsDocument,
  KeyFactsTable,
  KeyFactsWords,
} from '../key-facts-document.js';
import { feeNote } from './fee-note.js';

/** What version 4 says in words of its own. */
const REWORDED: ReadonlySet<string> = new Set(['kfs.form4.annex-c.note']);

/**
 * Version 4 of the form: version 3, with how each charge came about, and with a last instalment that closes the loan. What
 * was agreed in it is shown in it forever (docs/adr/0009).
 */
export function keyFactsForm4(
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
): KeyFactsDocument {
  const total = formatRupees(statement.aprComputation.totalPayable);
  const form3 = keyFactsForm3(
    statement,
    (key, values) => words(wordOf(key), { ...values, total }),
    language,
  );
  return {
    ...form3,
    sections: form3.sections.map((section) => ({
      ...section,
      blocks: section.blocks.map((block) => withFeeNotes(block, statement, words)),
    })),
  };
}

function withFeeNotes(
  block: KeyFactsBlock,
  { part1: { fees } }: KeyFactsStatement,
  words: KeyFactsWords,
): KeyFactsBlock {
  if (block.kind !== 'table' || block.table.kind !== 'fees') return block;
  const payees = [fees.payableToLender, fees.payableToThirdParties];
  const groups = block.table.groups.map((group, payee) => ({
    ...group,
    rows: group.rows.map(([name, ...others], row): KeyFactsCell[] => [
      { ...name, note: feeNote(payees[payee][row], words) },
      ...others,
    ]),
  }));
  const table: KeyFactsTable = { ...block.table, groups };
  return { kind: 'table', table };
}

function wordOf(key: string): string {
  const own = key.replace(/^kfs\.form\d\./, 'kfs.form4.');
  return REWORDED.has(own) ? own : key;
}
