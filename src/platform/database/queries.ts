export abstract class Queries {
  abstract query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;

  /** The first row, or null. */
  async first<Row>(sql: string, values?: unknown[]): Promise<Row | null> {
    const [row] = await this.query<Row>(sql, values);
    return row ?? null;
  }

  /** For a query of one column: its value in each row. */
  async column<Value>(sql: string, values?: unknown[]): Promise<Value[]> {
    const rows = await this.query<Record<string, Value>>(sql, values);
    return rows.map((row) => Object.values(row)[0]);
  }

  /** For a query of one column: its value in the first row, or null. */
  async value<Value>(sql: string, values?: unknown[]): Promise<Value | null> {
    const [value] = await this.column<Value>(sql, values);
    return value ?? null;
  }
}
