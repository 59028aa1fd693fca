import type { Columns, Tx } from '../../platform/index.js';

/**
 * Disables all other rows instead of deleting them: offers and journeys refer to them.
 * @returns how many changed
 */
export async function replaceByCode<Row extends { readonly code: string }>(
  tx: Tx,
  columns: Columns<Row>,
  rows: readonly Row[],
): Promise<number> {
  const { table } = columns;
  const list = columns.list();
  const written = columns.properties.filter((property) => property !== 'code');
  // Skips unchanged rows, so that applying a file again changes nothing.
  const upsert = `
    INSERT INTO ${table} AS kept (${list})
    SELECT ${list} FROM jsonb_populate_recordset(NULL::${table}, $1)
    ON CONFLICT (code) DO UPDATE
      SET (${columns.list(written)}) = (${written.map((one) => `excluded.${columns.name(one)}`).join(', ')})
    WHERE (kept.*) IS DISTINCT FROM (excluded.*)
  `;
  const disable = `UPDATE ${table} SET is_enabled = false WHERE is_enabled AND code <> ALL ($1)`;
  const records = JSON.stringify(rows.map((row) => columns.toRecord(row)));
  const changed = await tx.execute(upsert, [records]);
  return changed + (await tx.execute(disable, [rows.map(({ code }) => code)]));
}
