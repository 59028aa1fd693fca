import { type ColumnOf, type Columns, timeText } from './columns.js';

/** A missing property is NULL. */
type Row = Readonly<Record<string, unknown>>;

interface RowArraysOptions {
  /** Number of the first parameter, from 1. */
  readonly first?: number;
  /** Further properties of each row, as text. */
  readonly beside?: readonly string[];
  readonly more?: string;
}

/** Passes rows as parameters: one array of texts per column. */
export class RowArrays<Entity extends object> {
  readonly list: string;
  /** `SELECT id::text, created_at::timestamptz FROM unnest(...) AS given (id, created_at)` */
  readonly select: string;

  readonly count: number;
  private readonly parts: readonly { readonly key: string; readonly type: string }[];

  constructor(
    columns: Columns<Entity>,
    properties: readonly ColumnOf<Entity>[],
    { first = 1, beside = [], more }: RowArraysOptions = {},
  ) {
    const typed = properties.map((property) => ({ key: property, type: columns.type(property) }));
    this.parts = [...typed, ...beside.map((key) => ({ key, type: 'text' }))];
    this.count = this.parts.length;
    this.list = columns.list(properties);
    const cast = typed.map(({ key, type }) => `${columns.name(key)}::${type}`);
    const arrays = this.parts.map((_, index) => `$${first + index}::text[]`);
    this.select = `
      SELECT ${[...cast, ...(more ? [more] : [])].join(', ')}
      FROM unnest(${arrays.join(', ')}) AS given (${[this.list, ...beside.map((key) => `"${key}"`)].join(', ')})`;
  }

  values(rows: readonly Row[]): (string | null)[][] {
    return this.parts.map(({ key, type }) => rows.map((row) => textOf(row[key], type)));
  }
}

function textOf(value: unknown, type: string): string | null {
  if (value === null || value === undefined) return null;
  if (type === 'jsonb') return JSON.stringify(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return timeText(value);
  if (Array.isArray(value)) return `{${value.map((one) => quoted(String(one))).join(',')}}`;
  throw new Error(`a ${typeof value} is no ${type}`);
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
