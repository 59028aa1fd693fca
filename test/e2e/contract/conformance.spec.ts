import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';
import { proofProblems, tableRows } from '../../support/cited-tests.js';

interface Row {
  id: string;
  rule: string;
  source: string;
  proof: string;
}

const PAGE = 'docs/generated/conformance.md';
const ID = /^[A-Z]+-\d+$/;
const MIN_LENGTH = 8;

function rowsOf(page: string): Row[] {
  return tableRows(page).map(([id, rule, source, proof = '']) => ({ id, rule, source, proof }));
}

function problemsOf({ id, rule, source, proof }: Row): string[] {
  const problems = [];
  if (!ID.test(id)) problems.push('has no id like AUTH-3');
  if (rule.length < MIN_LENGTH || source === '') problems.push('says too little');
  return [...problems, ...proofProblems(proof)];
}

const table = (rows: string[]) =>
  rowsOf(['| # | What | Source | Proof |', '| - | - | - | - |', ...rows].join('\n'));
const here = 'test/e2e/contract/conformance.spec.ts';

describe('docs/generated/conformance.md', () => {
  const rows = rowsOf(readFileSync(projectPath(PAGE), 'utf8'));

  it('names for every rule a test that is there', () => {
    expect(rows.length).toBeGreaterThan(150);
    const problems = rows.flatMap((row) => problemsOf(row).map((one) => `${row.id}: ${one}`));
    expect(problems).toEqual([]);
  });

  it('gives every rule an id of its own', () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe('the reading of the table', () => {
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
    [`\`${here} › the reading of\` and so on`, 'has more beside its proofs'],
  ])('notices the proof %s', (proof, problem) => {
    const [row] = table([`| X-1 | A rule that holds | spec | ${proof} |`]);
    expect(problemsOf(row)).toEqual([problem]);
  });

  it('finds what is there, by pieces of titles and by templates', () => {
    const proofs = [
      `\`${here} › the reading of the table › finds what is\``,
      `\`${here} › notices the proof %s\``,
    ];
    const [row] = table([`| X-1 | A rule that holds | spec | ${proofs.join(', ')} |`]);
    expect(problemsOf(row)).toEqual([]);
  });
});
