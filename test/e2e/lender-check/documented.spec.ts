import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CASES } from '../../../examples/lender-check/cases/index.ts';
import { projectPath } from '../../../src/platform/index.js';
import { BROKEN_LENDERS } from '../../broken-lenders/lenders/index.js';

describe('the page of the conformance suite', () => {
  const page = readFileSync(projectPath('docs/generated/lender-check.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('lists every case with its title and its rule', () => {
    const listed = rows.filter(([, id]) => /^RLP-\d{3}$/.test(id)).map((row) => row.slice(1, 4));
    expect(listed).toEqual(CASES.map(({ id, title, rule }) => [id, title, rule]));
  });

  it('lists every broken lender with the cases that it fails', () => {
    const listed = rows.filter(([, , fails]) => /^RLP-\d{3}(, |$)/.test(fails ?? ''));
    expect(listed.map((row) => row.slice(1, 3))).toEqual(
      BROKEN_LENDERS.map(({ name, fails }) => [name, fails.join(', ')]),
    );
  });
});
