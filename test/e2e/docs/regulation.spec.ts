import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';
import { proofProblems, tableRows } from '../../support/cited-tests.js';

const ID = /^[A-Z]+-\d+$/;
const STANDINGS = new Set(['Met', 'Lender', 'Partner', 'Operator', 'Open']);
const COLUMNS = 6;
const MIN_LENGTH = 8;
/** A file or folder of the project; that it exists is checked with those of all pages. */
const PLACE = /`(?:src|views|docs)\/[^`]+`/;

/** What is wrong with a row: id, what is asked, source, standing, where, proof. */
function problemsOf(cells: string[]): string[] {
  if (cells.length !== COLUMNS) return [`has ${cells.length} columns`];
  const [id, asked, source, standing, where, proof] = cells;
  const problems = [];
  if (!ID.test(id)) problems.push('has no id like DL-3');
  if ([asked, source, where].some(({ length }) => length < MIN_LENGTH))
    problems.push('says too little');
  if (!STANDINGS.has(standing)) return [...problems, `"${standing}" is no standing`];
  if (standing !== 'Met') return [...problems, ...(proof === '' ? [] : ['proves what is not met'])];
  if (!PLACE.test(where)) problems.push('names no place');
  return [...problems, ...proofProblems(proof)];
}

describe('docs/generated/regulation.md', () => {
  // Of its tables that with the meanings of the standings has no ids.
  const rows = tableRows(readFileSync(projectPath('docs/generated/regulation.md'), 'utf8')).filter(
    (cells) => cells.length > 2,
  );

  it('has one standing for each point, and tests for each that is met', () => {
    expect(rows.length).toBeGreaterThan(90);
    const problems = rows.flatMap((row) => problemsOf(row).map((one) => `${row[0]}: ${one}`));
    expect(problems).toEqual([]);
  });

  it('gives every point an id of its own', () => {
    const ids = rows.map(([id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('speaks of all that touches the service', () => {
    const topics = new Set(rows.map(([id]) => id.split('-')[0]));
    expect([...topics]).toEqual(['DL', 'KFS', 'GOLD', 'DATA', 'MANDATE', 'SMS']);
  });
});

describe('the reading of the table', () => {
  const here = '`test/e2e/docs/regulation.spec.ts › notices the end %s`';
  const row = (end: string) => tableRows(`| X-1 | What is asked | The source | ${end}`)[0];

  it.each([
    ['Met or not | `src/audit` | |', '"Met or not" is no standing'],
    [' | `src/audit` | |', '"" is no standing'],
    ['Met | `src/audit` | |', 'has no proof'],
    [`Met | in the service | ${here} |`, 'names no place'],
    [
      'Met | `src/audit` | `test/e2e/docs/regulation.spec.ts › something else` |',
      'test/e2e/docs/regulation.spec.ts has no test "something else"',
    ],
    [`Lender | On its pages | ${here} |`, 'proves what is not met'],
    ['Open | | |', 'says too little'],
    ['Lender | On its pages |', 'has 5 columns'],
  ])('notices the end %s', (end, problem) => {
    expect(problemsOf(row(end))).toEqual([problem]);
  });

  it('finds what is there', () => {
    expect(problemsOf(row(`Met | \`src/audit\` | ${here} |`))).toEqual([]);
    expect(problemsOf(row('Lender | On its pages | |'))).toEqual([]);
  });
});
