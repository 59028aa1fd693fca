import { describe, expect, it } from 'vitest';
import { rowsOf, tableOf } from './table.js';

const NAMES = ['id', 'count', 'at'];

describe('rows by column', () => {
  it('are the same rows again, whatever is in them', () => {
    const at = new Date('2026-11-21T00:00:00Z');
    const rows = [
      ['a', 1, null],
      ['b', 2.5, at],
    ];
    expect(rowsOf(structuredClone(tableOf(NAMES, rows)))).toEqual([
      { id: 'a', count: 1, at: null },
      { id: 'b', count: 2.5, at },
    ]);
  });

  it('are numbers as numbers, and mixed with nothing as they are', () => {
    const { columns } = tableOf(NAMES, [
      ['a', 1, 1],
      ['b', 2, null],
    ]);
    expect(columns).toEqual([['a', 'b'], Float64Array.of(1, 2), [1, null]]);
  });

  it('are none where there are none', () => {
    expect(rowsOf(structuredClone(tableOf(NAMES, [])))).toEqual([]);
  });
});
