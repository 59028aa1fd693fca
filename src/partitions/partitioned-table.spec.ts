import { describe, expect, it } from 'vitest';
import {
  keptFrom,
  keyAt,
  type PartitionedTable,
  partitionName,
  rangesFrom,
} from './partitioned-table.js';

const DAYS: PartitionedTable = {
  name: 'calls',
  key: { column: 'at', idPrefix: null },
  daysEach: 1,
  ahead: 1,
  daysKept: 7,
};
const WEEKS: PartitionedTable = {
  ...DAYS,
  key: { column: 'id', idPrefix: 'dlv' },
  daysEach: 7,
};
const NOON = Date.UTC(2026, 10, 23, 12);

const shown = (table: PartitionedTable) =>
  rangesFrom(table, NOON).map(({ from, to }) => [
    new Date(from).toISOString(),
    new Date(to).toISOString(),
  ]);

describe('the ranges of a table', () => {
  it('are the one of this moment and those ahead, without a gap, in UTC', () => {
    expect(shown(DAYS)).toEqual([
      ['2026-11-23T00:00:00.000Z', '2026-11-24T00:00:00.000Z'],
      ['2026-11-24T00:00:00.000Z', '2026-11-25T00:00:00.000Z'],
    ]);
    expect(shown(WEEKS)).toEqual([
      ['2026-11-19T00:00:00.000Z', '2026-11-26T00:00:00.000Z'],
      ['2026-11-26T00:00:00.000Z', '2026-12-03T00:00:00.000Z'],
    ]);
  });

  it('begin again with the very millisecond', () => {
    const midnight = Date.UTC(2026, 10, 24);
    expect(rangesFrom(DAYS, midnight - 1)[0].to).toBe(midnight);
    expect(rangesFrom(DAYS, midnight)[0].from).toBe(midnight);
  });

  it('have keys and names that tell their beginning', () => {
    const [range] = rangesFrom(WEEKS, NOON);
    expect(keyAt(DAYS, range.from)).toBe('2026-11-19T00:00:00.000Z');
    // The first twelve digits of a UUIDv7 are its milliseconds.
    expect(keyAt(WEEKS, range.from)).toBe('dlv_01a1f11a6000');
    expect(parseInt(keyAt(WEEKS, range.from).slice(4), 16)).toBe(range.from);
    // A database's time has parts of milliseconds.
    expect(keyAt(WEEKS, range.from + 0.75)).toBe(keyAt(WEEKS, range.from));
    expect(partitionName(WEEKS, range)).toBe('calls_20261119');
  });

  it('are kept for the days that the table states', () => {
    expect(keptFrom(DAYS, NOON)).toBe(Date.UTC(2026, 10, 16, 12));
  });
});
