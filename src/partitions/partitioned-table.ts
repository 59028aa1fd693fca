import type { IdPrefix } from '../platform/index.js';

const DAY_MS = 86_400_000;
const MILLISECOND_DIGITS = 12;

/** Rows outside all ranges go to `<name>_rest`, the DEFAULT partition. */
export interface PartitionedTable {
  readonly name: string;
  /** A time, or ids that begin with their milliseconds. */
  readonly key: { readonly column: string; readonly idPrefix: IdPrefix | null };
  /** UTC, counted from 1 January 1970. */
  readonly daysEach: number;
  readonly ahead: number;
  /** Dropped when all rows are older. */
  readonly daysKept: number;
  /** SQL for keys above `$1`, up to `$2`, whose rows are kept at any age, as `key`. */
  readonly stillNeeded?: string;
}

/** In milliseconds; `to` is exclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export function rangesFrom({ daysEach, ahead }: PartitionedTable, now: number): TimeRange[] {
  const width = daysEach * DAY_MS;
  const first = Math.floor(now / width) * width;
  return Array.from({ length: ahead + 1 }, (_, place) => ({
    from: first + place * width,
    to: first + (place + 1) * width,
  }));
}

export function keptFrom({ daysKept }: PartitionedTable, now: number): number {
  return now - daysKept * DAY_MS;
}

export function keyAt({ key: { idPrefix } }: PartitionedTable, time: number): string {
  if (idPrefix === null) return new Date(time).toISOString();
  return `${idPrefix}_${Math.floor(time).toString(16).padStart(MILLISECOND_DIGITS, '0')}`;
}

export function keyBeforeAll({ key: { idPrefix } }: PartitionedTable): string {
  return idPrefix === null ? '-infinity' : '';
}

export function partitionName({ name }: PartitionedTable, { from }: TimeRange): string {
  return `${name}_${new Date(from).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

export function defaultPartitionOf({ name }: PartitionedTable): string {
  return `${name}_rest`;
}
