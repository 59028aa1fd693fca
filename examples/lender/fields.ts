import { ProtocolError } from './protocol-error.ts';

export type Fields = Readonly<Record<string, unknown>>;

const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
const HASH = /^[0-9a-f]{64}$/;
const HIGHEST_AMOUNT = 1_000_000_000_000;
const HIGHEST_INCOME = 1_000_000_000_000_000;

/** Reads the required fields of a question; ignores unknown ones. */
export class FieldReader {
  readonly fields: Fields;
  readonly #path: string;

  constructor(fields: Fields, path = '') {
    this.fields = fields;
    this.#path = path;
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  text(name: string, form?: RegExp): string {
    const value = this.fields[name];
    if (typeof value !== 'string' || value === '' || value.length > 2_048) throw this.#bad(name);
    if (form && !form.test(value)) throw this.#bad(name);
    return value;
  }

  reference(name: string): string {
    return this.text(name, REFERENCE);
  }

  hash(name: string): string {
    return this.text(name, HASH);
  }

  /** Paise, above zero. */
  amount(name: string): number {
    return this.#whole(name, HIGHEST_AMOUNT);
  }

  /** Paise, above zero. */
  income(name: string): number {
    return this.#whole(name, HIGHEST_INCOME);
  }

  count(name: string): number {
    return this.#whole(name, 1_000);
  }

  moment(name: string): string {
    const text = this.text(name, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    if (Number.isNaN(Date.parse(text))) throw this.#bad(name);
    return text;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word {
    const found = words.find((word) => word === this.fields[name]);
    if (found === undefined) throw this.#bad(name);
    return found;
  }

  /** An address for the applicant's browser. */
  address(name: string): string {
    const text = this.text(name);
    const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
    if (!isWeb) throw this.#bad(name);
    return text;
  }

  object(name: string): FieldReader {
    const value = this.fields[name];
    if (!isFields(value)) throw this.#bad(name);
    return new FieldReader(value, `${this.#path}${name}.`);
  }

  list(name: string): FieldReader[] {
    const value = this.fields[name];
    if (!Array.isArray(value) || !value.every(isFields)) throw this.#bad(name);
    return value.map((item, at) => new FieldReader(item, `${this.#path}${name}.${at}.`));
  }

  json(): string {
    return JSON.stringify(this.fields);
  }

  #whole(name: string, highest: number): number {
    const value = this.fields[name];
    const isWhole = typeof value === 'number' && Number.isInteger(value);
    if (!isWhole || value < 1 || value > highest) throw this.#bad(name);
    return value;
  }

  #bad(name: string): ProtocolError {
    const field = `${this.#path}${name}`;
    return new ProtocolError(400, 'invalid_request', `${field} is missing or malformed.`);
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
