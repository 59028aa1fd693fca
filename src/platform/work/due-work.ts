import { Column } from 'typeorm';
import { NullableTimeColumn } from '../database/columns.js';

/** The columns of a row that one process at a time works on. */
export abstract class Leased {
  /** The fencing token: each claim increments it, and a result under an older one is ignored. */
  @Column('bigint', { default: 0 })
  readonly leaseToken: number;

  /** Null or past: no process holds the row. */
  @NullableTimeColumn
  readonly leaseUntil: Date | null;
}

/** SQL; `now` is an SQL expression. */
type QueryAt<Sql = string> = (now: string) => Sql;

/** A kind of work that falls due at stored times. */
export interface DueWork {
  /**
   * SQL with a row `true` when work is due. Must read only the head of an index; may find too much, never too
   * little.
   */
  readonly isDue: QueryAt;
  /** Absent: time travel does not stop for it. */
  readonly times?: TimesQuery;
}

/** SQL for the times, `at`, when work falls due; work in progress has `now`. */
export type TimesQuery = QueryAt<string | Promise<string>>;

interface DueRows {
  readonly table: string;
  /** The first column of an index. */
  readonly at: string;
  /** The condition of that index. */
  readonly where?: string;
  /** Until `lease_until` the work is in progress. */
  readonly isLeased?: boolean;
}

/** Work in the rows of one table. */
export function dueRows({ table, at, where, isLeased = false }: DueRows): DueWork {
  const condition = where ?? `${at} IS NOT NULL`;
  return {
    isDue: (now) =>
      `SELECT true FROM ${table} WHERE ${condition} AND ${at} <= ${now} ORDER BY ${at} LIMIT 1`,
    times: (now) => {
      const time = isLeased ? `CASE WHEN lease_until > ${now} THEN ${now} ELSE ${at} END` : at;
      return `SELECT ${time} AS at FROM ${table} WHERE ${condition}`;
    },
  };
}
