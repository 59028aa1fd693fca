import type { DataSource } from 'typeorm';

/** A value that a module has sealed. */
export interface SealedSample {
  /** Of the key it is sealed under. */
  readonly name: string;
  readonly sealed: string;
  readonly purpose: string;
}

/**
 * Port: who holds sealed values offers one for each name of a key. They are a check of their own: a
 * database may be older than its check values, and its key may have been changed before.
 */
export type SealedSamples = (dataSource: DataSource) => Promise<SealedSample[]>;

/** Samples of a sealed column that holds `purpose`. */
export function sealedSamples(
  table: string,
  column: string,
  purpose: string,
  condition = `${column} IS NOT NULL`,
): SealedSamples {
  const sql = `
    SELECT DISTINCT ON (split_part(${column}, ':', 2)) split_part(${column}, ':', 2) AS name,
      ${column} AS sealed, $1 AS purpose
    FROM ${table} WHERE ${condition}`;
  return (dataSource) => dataSource.query(sql, [purpose]);
}
