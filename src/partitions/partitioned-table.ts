import type { IdPrefix } from '../platform/index.js';

const DAY_MS = 86_400_000;
const MILLISECOND_DIGITS = 12;

/**
 * A table that only grows, kept in partitions by time, which are made ahead and dropped whole. What no partition
 * takes stands in `<name>_rest`, its DEFAULT partition.
 */
export interface PartitionedTable {
  readonly name: string;
  /** What the ranges are of: a time, or ids with this prefix, which begin with their milliseconds. */
  readonly key: { readonly column: string; readonly idPrefix: IdPrefix | null };
  /** The days (UTC) of one partition; counted from 1 January 1970. */
  readonly daysEach: number;
  /** How many partitions are made ahead, beside the one of this moment. */
  readonly ahead: number;
  /** A partition is dropped when all of it is older. */
  readonly daysKept: number;
  /** SQL for the keys above `$1`, up to `$2`, whose rows stay however old they are, as `key`. Left out: none. */
  readonly stillNeeded?: string;
}

/** The time that a partition is of, in milliseconds: `to` is not in it. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The range of a moment, and as many after it as are made ahead. */
export function rangesFrom({ daysEach, ahead }: PartitionedTable, now: number): TimeRange[] {
  const width = daysEach * DAY_MS;
  const first = Math.floor(now / width) * width;
  return Array.from({ length: ahead + 1 }, (_, place) => ({
    from: first + place * width,
    to: first + (place + 1) * width,
  }));
}

/** What is older than this may go. */
export function keptFrom({ daysKept }: PartitionedTable, now: number): number {
  return now - daysKept * DAY_MS;
}

/** The least key of a moment. */
export function keyAt({ key: { idPrefix } }: PartitionedTable, time: number): string {
  if (idPrefix === null) return new Date(time).toISOString();
  return `${idPrefix}_${Math.floor(time).toString(16).padStart(MILLISECOND_DIGITS, '0')}`;
}

export function keyBeforeAll({ key: { idPrefix } }: PartitionedTable): string {
  return idPrefix === null ? '-infinity' : '';
}

/** `<name>_20261123`: the day with which it begins. */
export function partitionName({ name }: PartitionedTable, { from }: TimeRange): string {
  return `${name}_${new Date(from).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

export function restOf({ name }: PartitionedTable): string {
  return `${name}_rest`;
}
