import type { DataSource } from 'typeorm';

export interface SealedSample {
  /** Of its key. */
  readonly name: string;
  readonly sealed: string;
  readonly purpose: string;
}

/** Port: one sample for each key name. A database may be older than its table of check values. */
export type SealedSamples = (dataSource: DataSource) => Promise<SealedSample[]>;

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
