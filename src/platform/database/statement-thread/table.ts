import type { QueryResultRow } from 'pg';

/**
 * Rows by column: a list of strings or of numbers passes between threads in a fraction of the time
 * that as many objects take.
 */
export interface Table {
  readonly names: readonly string[];
  readonly columns: readonly (readonly unknown[] | Float64Array)[];
  readonly length: number;
}

/** @param rows each a list of values, in the order of the names */
export function tableOf(names: readonly string[], rows: readonly unknown[][]): Table {
  const columns = names.map((_, place) => {
    const column = rows.map((row) => row[place]);
    return column.every((value) => typeof value === 'number') ? Float64Array.from(column) : column;
  });
  return { names, columns, length: rows.length };
}

export function rowsOf<Row extends QueryResultRow>({ names, columns, length }: Table): Row[] {
  return Array.from({ length }, (_, place) => {
    const row: Record<string, unknown> = {};
    for (let column = 0; column < names.length; column += 1) {
      row[names[column]] = columns[column][place];
    }
    return row as Row;
  });
}
