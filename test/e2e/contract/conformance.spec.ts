import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';
import { proofProblems, tableRows } from '../../support/cited-tests.js';

const ID = /^[A-Z]+-\d+$/;
const STANDINGS = new Set(['Met', 'Lender', 'Partner', 'Operator', 'Open']);
const MIN_LENGTH = 8;
/** A path in the project; another spec checks that it exists. */
const PLACE = /`(?:src|views|docs)\/[^`]+`/;

/** Of `conformance.md`: id, rule, source, proof. */
function problemsOfRule([, rule, source, proof]: string[]): string[] {
  const saysTooLittle = rule.length < MIN_LENGTH || source === '';
  return [...(saysTooLittle ? ['says too little'] : []), ...proofProblems(proof)];
}

/** Of `regulation.md`: id, what is asked, source, standing, where, proof. */
function problemsOfPoint([, asked, source, standing, where, proof]: string[]): string[] {
  const isShort = [asked, source, where].some(({ length }) => length < MIN_LENGTH);
  const problems = isShort ? ['says too little'] : [];
  if (!STANDINGS.has(standing)) return [...problems, `"${standing}" is no standing`];
  if (standing !== 'Met') return [...problems, ...(proof === '' ? [] : ['proves what is not met'])];
  return [...problems, ...(PLACE.test(where) ? [] : ['names no place']), ...proofProblems(proof)];
}

describe.each([
  ['conformance', 4, 150, problemsOfRule],
  ['regulation', 6, 90, problemsOfPoint],
] as const)('docs/generated/%s.md', (page, columns, least, problemsOf) => {
  const text = readFileSync(projectPath(`docs/generated/${page}.md`), 'utf8');
  // Skips the table of statuses, which has two columns.
  const rows = tableRows(text).filter(({ length }) => length > 2);

  it('names for every rule a test that is there, under an id of its own', () => {
    expect(rows.length).toBeGreaterThan(least);
    const problems = rows.flatMap((row) => {
      const found = row.length === columns ? problemsOf(row) : [`has ${row.length} columns`];
      return found.map((one) => `${row[0]}: ${one}`);
    });
    const ids = rows.map(([id]) => id);
    const wrong = ids.filter((id, index) => !ID.test(id) || ids.indexOf(id) !== index);
    expect([...problems, ...wrong]).toEqual([]);
  });
});

describe('the reading of the table', () => {
  const here = 'test/e2e/contract/conformance.spec.ts';
  const found = `\`${here} › the reading of the table › finds what is\``;

  it.each([
    ['', 'has no proof'],
    ['`test/e2e/none.spec.ts › some test`', 'there is no test/e2e/none.spec.ts'],
    [`\`${here}\``, 'names no test'],
    [`\`${here} › it\``, 'names a test too shortly'],
    [`\`${here} › something else\``, `${here} has no test "something else"`],
    [
      `\`${here} › finds what › the reading of\``,
      `${here} has no test "finds what › the reading of"`,
    ],
    [`${found} and so on`, 'has more beside its proofs'],
  ])('notices the proof %s', (proof, problem) => {
    expect(proofProblems(proof)).toEqual([problem]);
  });

  it('finds what is there, by pieces of titles and by templates', () => {
    expect(proofProblems(`${found}, \`${here} › notices the proof %s\``)).toEqual([]);
  });
});
