import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CATALOGUE } from '../../../src/platform/index.js';
import { SETTINGS_DEFAULTS } from '../../../src/settings/index.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const PAGE = read('docs/partners/testing.md');

/** The cells of the table below a heading. */
function rowsBelow(page: string, heading: string): string[][] {
  const [, after] = page.split(`\n## ${heading}\n`);
  const [part] = after.split('\n## ');
  const lines = part.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

it('the reserved PANs that make a journey wait for the deadline say how long that is', () => {
  const { lenderDeadlineSeconds } = SETTINGS_DEFAULTS.sandbox;
  const row = rowsBelow(PAGE, 'Reserved PANs').find(([pan]) => pan === '`SANDX0002A`')!;
  const [, happens, , takes] = row;
  expect([happens, takes]).toEqual([
    expect.stringContaining(`${lenderDeadlineSeconds} seconds`),
    `${lenderDeadlineSeconds} seconds`,
  ]);
});

describe('the first calls', () => {
  it('have codes of the catalogue, with their statuses', () => {
    const rows = rowsBelow(PAGE, 'The first calls');
    expect(rows.length).toBeGreaterThan(10);
    for (const [cell, , seen] of rows) {
      const code = cell.replaceAll('`', '') as keyof typeof ERROR_CATALOGUE;
      expect([code, Number(/^\d+/.exec(seen)?.[0])]).toEqual([code, ERROR_CATALOGUE[code]?.status]);
    }
  });
});
