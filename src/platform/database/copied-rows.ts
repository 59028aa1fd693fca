import type { ColumnOf, Columns } from './columns.js';

/** What a row lacks is NULL. */
type Row = Readonly<Record<string, unknown>>;

/** A signature, no flags, and an extension of no bytes. */
const HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const NO_VALUE = -1;
const NO_MORE_ROWS = -1;
const FIRST_BYTES = 65_536;
const MAX_BYTES_A_CHARACTER = 3;
const UUID_BYTES = 16;
const JSONB_VERSION = 1;
/** PostgreSQL's times are microseconds since then. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const TWO_TO_32 = 2 ** 32;

/** Each type's value with its length before it. */
const FIELDS: Readonly<Record<string, (bytes: Bytes, value: unknown) => void>> = {
  text: (bytes, value) => bytes.text(value as string),
  uuid: (bytes, value) => bytes.int32(UUID_BYTES).hex(value as string),
  smallint: (bytes, value) => bytes.int32(2).int16(value as number),
  integer: (bytes, value) => bytes.int32(4).int32(value as number),
  boolean: (bytes, value) => bytes.int32(1).int8(value === true ? 1 : 0),
  timestamptz: (bytes, value) =>
    bytes.int32(8).int64(((value as Date).getTime() - EPOCH_MS) * 1_000),
  jsonb: (bytes, value) => bytes.text(JSON.stringify(value), JSONB_VERSION),
};

/**
 * Rows of an entity as `COPY … FROM STDIN (FORMAT binary)` reads them. For many rows of which nothing is asked but that they are
 * there: it costs server and process a sixth less than an INSERT of arrays.
 */
export class CopiedRows<Entity extends object> {
  /** `(id, at) FROM STDIN (FORMAT binary)`: what follows the table. */
  readonly from: string;
  private readonly fields: readonly { key: string; put: (bytes: Bytes, value: unknown) => void }[];

  /** @throws Error when a column's type is none of those above */
  constructor(columns: Columns<Entity>, properties: readonly ColumnOf<Entity>[]) {
    this.from = `(${columns.list(properties)}) FROM STDIN (FORMAT binary)`;
    this.fields = properties.map((key) => {
      const put = FIELDS[columns.type(key)];
      if (!put) throw new Error(`a ${columns.type(key)} is not copied`);
      return { key, put };
    });
  }

  bytes(rows: readonly Row[]): Buffer {
    const bytes = new Bytes();
    for (const row of rows) {
      bytes.int16(this.fields.length);
      for (const { key, put } of this.fields) {
        const value = row[key];
        if (value === null || value === undefined) bytes.int32(NO_VALUE);
        else put(bytes, value);
      }
    }
    return bytes.int16(NO_MORE_ROWS).all();
  }
}

/** Bytes that are written one after another, numbers with the highest first. */
class Bytes {
  private buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private at = HEAD.copy(this.buffer);

  int8(value: number): this {
    this.at = this.withRoom(1).writeInt8(value, this.at);
    return this;
  }

  int16(value: number): this {
    this.at = this.withRoom(2).writeInt16BE(value, this.at);
    return this;
  }

  int32(value: number): this {
    this.at = this.withRoom(4).writeInt32BE(value, this.at);
    return this;
  }

  int64(value: number): this {
    const high = Math.floor(value / TWO_TO_32);
    this.int32(high);
    this.at = this.withRoom(4).writeUInt32BE(value - high * TWO_TO_32, this.at);
    return this;
  }

  hex(digits: string): this {
    this.at += this.withRoom(digits.length / 2).write(digits, this.at, 'hex');
    return this;
  }

  /**
   * Its length, the number of a version if it has one, and a text.
   * @throws Error when half a surrogate pair is in it, of which another character would be written
   */
  text(text: string, version?: number): this {
    if (!text.isWellFormed()) throw new Error('half a surrogate pair is not copied');
    const start = this.at;
    this.int32(0);
    if (version !== undefined) this.int8(version);
    this.at += this.withRoom(text.length * MAX_BYTES_A_CHARACTER).write(text, this.at);
    this.buffer.writeInt32BE(this.at - start - 4, start);
    return this;
  }

  all(): Buffer {
    return this.buffer.subarray(0, this.at);
  }

  private withRoom(more: number): Buffer {
    if (this.at + more > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (this.buffer.length + more));
      this.buffer.copy(larger, 0, 0, this.at);
      this.buffer = larger;
    }
    return this.buffer;
  }
}
