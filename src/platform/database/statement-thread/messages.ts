import type { PoolConfig, QueryResultRow } from 'pg';

/** What the thread is started with. */
export type ThreadSetUp = PoolConfig;

/** What the thread is told: one statement, or to end. */
export type ThreadOrder =
  | {
      readonly id: number;
      readonly name: string;
      readonly text: string;
      readonly values: unknown[];
    }
  | 'end';

/** What the thread answers: a statement's rows, or why there are none. */
export type ThreadAnswer =
  | { readonly id: number; readonly table: Table }
  | { readonly id: number; readonly error: ErrorParts };

/**
 * Rows by column: a list of strings or of numbers passes between threads in a fraction of the time
 * that as many objects take.
 */
export interface Table {
  readonly names: readonly string[];
  readonly columns: readonly (readonly unknown[] | Float64Array)[];
  readonly length: number;
}

/** An error as it passes between threads, which would lose the codes that tell one from another. */
export interface ErrorParts {
  readonly message: string;
  readonly stack?: string;
  /** The server's or the socket's, as they name them. */
  readonly parts: Readonly<Record<string, string | number>>;
}

/** @param rows each a list of values, in the order of the names */
export function tableOf(names: readonly string[], rows: readonly unknown[][]): Table {
  const columns = names.map((_, place) => {
    const column = rows.map((row) => row[place]);
    const isNumeric = column.every((value) => typeof value === 'number');
    return isNumeric ? Float64Array.from(column as number[]) : column;
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

export function partsOf(error: unknown): ErrorParts {
  if (!(error instanceof Error)) return { message: String(error), parts: {} };
  const parts = Object.entries(error).filter(([, value]) => isPlain(value));
  const { message, stack } = error;
  return { message, stack, parts: Object.fromEntries(parts) as ErrorParts['parts'] };
}

export function errorOf({ message, stack, parts }: ErrorParts): Error {
  return Object.assign(new Error(message), { stack }, parts);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
