import type { Mutant } from './mutant.ts';

const CHAIN = 'src/audit/chain/check-chain.ts';
const UNIT = ['src/audit/chain/check-chain.spec.ts'];
const FILES = ['test/e2e/audit/files.spec.ts'];
const TAMPERING = ['test/e2e/audit/tampering.spec.ts'];

/** Whoever changes what was written is found. */
export const AUDIT: readonly Mutant[] = [
  {
    id: 'chain-without-the-one-before',
    rule: 'An entry follows from the one before',
    file: 'src/audit/chain/audit-chain.ts',
    find: "createHash('sha256').update(previous).update(entry, 'utf8')",
    replace: "createHash('sha256').update(entry, 'utf8')",
    specs: TAMPERING,
  },
  {
    id: 'chain-past-the-signed-head',
    rule: 'A chain leads to the heads that were signed',
    file: CHAIN,
    find: 'if (signed && signed.hash !== hash)',
    replace: "if (signed && signed.hash === '')",
    specs: TAMPERING,
  },
  {
    id: 'chain-with-its-end-cut-off',
    rule: 'A chain is as long as the heads that were signed',
    file: CHAIN,
    find: 'position > entries.length);',
    replace: 'position > entries.length + 1);',
    specs: TAMPERING,
  },
  {
    id: 'any-column-may-change',
    rule: 'Of a row only what is declared may change',
    file: CHAIN,
    find: 'return source.sealed.includes(column) && after === null;',
    replace: 'return after !== before;',
    specs: UNIT,
  },
  {
    id: 'chain-of-another-subject',
    rule: 'A chain says rows of its own subject',
    file: CHAIN,
    find: 'if (said.row[source.subject] !== subjectId)',
    replace: 'if (said.row[source.subject] === undefined)',
    specs: UNIT,
  },
  {
    id: 'old-rows-without-an-end',
    rule: 'No row is taken in as an old one after all of them have been',
    file: CHAIN,
    find: 'Date.parse(at) > doneAt.getTime()',
    replace: 'Date.parse(at) > doneAt.getTime() + 1e12',
    specs: UNIT,
  },
  {
    id: 'rows-past-the-trigger',
    rule: 'A row that is in no chain is found',
    file: 'src/audit/audit-verification.ts',
    find: '=== (found.get(source.table) ?? 0)) continue;',
    replace: '>= (found.get(source.table) ?? 0)) continue;',
    specs: TAMPERING,
  },
  {
    id: 'root-of-other-leaves',
    rule: 'A root is that of the leaves that are kept',
    file: 'src/audit/roots/root-verification.ts',
    find: "return made === root ? null : 'its leaves do not lead to it';",
    replace: 'return made.length === root.length ? null : made;',
    specs: TAMPERING,
  },
  {
    id: 'file-under-another-root',
    rule: 'The proof of a file leads to the root that was signed',
    file: 'src/audit/file/check-audit-file.ts',
    find: 'if (reached === root.root) return [];',
    replace: 'if (reached) return [];',
    specs: FILES,
  },
  {
    id: 'file-with-personal-data',
    rule: 'A file has personal data only when it is asked for',
    file: 'src/audit/file/audit-files.ts',
    find: 'withPersonalData || !exhibit.isPersonal',
    replace: 'withPersonalData || exhibit.isPersonal !== undefined',
    specs: FILES,
  },
  {
    id: 'mobile-in-the-operators-audit',
    rule: 'Of what may be personal the audit of commands says only that it was given',
    file: 'src/admin/given-command.ts',
    find: "NOTED.has(name) || isLoanId(value) ? value : '(given)'",
    replace: 'value',
    specs: FILES,
  },
];
