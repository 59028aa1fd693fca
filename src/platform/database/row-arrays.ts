import { type ColumnOf, type Columns, timeText } from './columns.js';

/** The OID of `text`. */
const TEXT = 25;
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const NO_VALUE = -1;

/** Missing properties are NULL. */
type Row = Readonly<Record<string, unknown>>;

interface RowArraysOptions {
  /** Of the first parameter; 1 when left out. */
  readonly first?: number;
  /** Further text columns. */
  readonly beside?: readonly string[];
  /** SQL, selected after the columns. */
  readonly more?: string;
}

/**
 * Rows as parameters, one text array a column in PostgreSQL's binary form: much cheaper for the
 * server than JSON.
 */
export class RowArrays<Entity extends object> {
  /** `id, created_at` */
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

  values(rows: readonly Row[]): Buffer[] {
    return this.parts.map(({ key, type }) => textArray(rows.map((row) => textOf(row[key], type))));
  }
}

/** A `text[]` parameter in binary form. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? NO_VALUE : Buffer.byteLength(text)));
  const size = lengths.reduce(
    (sum, length) => sum + LENGTH_BYTES + Math.max(0, length),
    HEAD_BYTES,
  );
  const bytes = Buffer.allocUnsafe(size);
  // Dimensions, has NULLs, element type, length, first index.
  const head = [1, texts.includes(null) ? 1 : 0, TEXT, texts.length, 1];
  let at = 0;
  for (const number of head) at = bytes.writeInt32BE(number, at);
  texts.forEach((text, index) => {
    at = bytes.writeInt32BE(lengths[index], at);
    if (text !== null) at += bytes.write(text, at);
  });
  return bytes;
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
