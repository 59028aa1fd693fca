import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';
import { proofProblems, tableRows } from '../../support/cited-tests.js';

const ID = /^[A-Z]+-\d+$/;
const STANDINGS = new Set(['Met', 'Lender', 'Partner', 'Operator', 'Open']);
const COLUMNS = 6;
const MIN_LENGTH = 8;
/** A file or folder of the project; paths.spec.ts checks that it exists. */
const PLACE = /`(?:src|views|docs)\/[^`]+`/;

/** The problems of a row with id, duty, source, status, place and proof. */
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
  // The table that explains the statuses has no ids.
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
});
