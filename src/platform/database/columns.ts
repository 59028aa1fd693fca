import { getMetadataArgsStorage, type ValueTransformer } from 'typeorm';

/** A class that TypeORM knows as an entity. */
type EntityClass<Entity> = new () => Entity;

/** A property of an entity that is a column. */
export type ColumnOf<Entity> = keyof Entity & string;

/**
 * The columns of an entity's table, for SQL that is written by hand. The entity declares them alone:
 * a new column is in every list at once.
 */
export class Columns<Entity extends object> {
  private readonly table: string;
  private readonly names: ReadonlyMap<ColumnOf<Entity>, string>;
  /** Of the columns whose declaration names a type. */
  private readonly types: ReadonlyMap<string, string>;

  /** @throws Error when the class has no columns */
  constructor(entity: EntityClass<Entity>) {
    const columns = getMetadataArgsStorage().filterColumns(entity);
    const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
    if (columns.length === 0 || !table) throw new Error(`${entity.name} is no entity`);
    this.table = table;
    this.names = new Map(
      columns.map(({ propertyName, options }) => [
        propertyName as ColumnOf<Entity>,
        options.name ?? propertyName,
      ]),
    );
    this.types = new Map(
      columns.flatMap(({ propertyName, options: { type, array } }): [string, string][] =>
        typeof type === 'string' ? [[propertyName, array === true ? `${type}[]` : type]] : [],
      ),
    );
  }

  /** Every property, in the order of their declaration. */
  get properties(): ColumnOf<Entity>[] {
    return [...this.names.keys()];
  }

  /** The column of a property. */
  name(property: ColumnOf<Entity>): string {
    const name = this.names.get(property);
    if (name === undefined) throw new Error(`${property} is no column`);
    return name;
  }

  /**
   * `text`, `timestamptz`, `text[]`: the type of a property's column.
   * @throws Error when it is declared without one: a cast to something else would be refused, or change the value
   */
  type(property: ColumnOf<Entity>): string {
    const type = this.types.get(property);
    if (type === undefined) throw new Error(`${property} is no column with a type`);
    return type;
  }

  /** `id, partner_id` */
  list(properties: readonly ColumnOf<Entity>[] = this.properties): string {
    return properties.map((property) => this.name(property)).join(', ');
  }

  /** `journeys.id`, `journeys.partner_id`: for a list of columns of many tables. */
  qualified(properties: readonly ColumnOf<Entity>[]): string[] {
    return properties.map((property) => `${this.table}.${this.name(property)}`);
  }

  /**
   * `j.id AS "id", j.partner_id AS "partnerId"`: rows as the entity declares them.
   * @param alias of the table, where the statement gives it one
   */
  selected(alias?: string, properties: readonly ColumnOf<Entity>[] = this.properties): string {
    const prefix = alias ? `${alias}.` : '';
    return properties
      .map((property) => `${prefix}${this.name(property)} AS "${property}"`)
      .join(', ');
  }

  /** `{ partner_id: 'p_1' }`, as `jsonb_populate_record` takes it: of the properties that are given. */
  toRecord(values: Partial<Entity>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([property, value]) => [
        this.name(property as ColumnOf<Entity>),
        value instanceof Date ? timeText(value) : value,
      ]),
    );
  }
}

/** A time as PostgreSQL reads it: JavaScript writes years past 9999, and before 1, otherwise. */
export function timeText(time: Date): string {
  const [, year, rest] = /^([+-]?\d+)(-.*)$/.exec(time.toISOString())!;
  const digits = String(Math.abs(Number(year) > 0 ? Number(year) : 1 - Number(year)));
  return `${digits.padStart(4, '0')}${rest}${Number(year) > 0 ? '' : ' BC'}`;
}

/** The condition of a CHECK that a column holds one of these words of ours. */
export function oneOf(column: string, words: readonly string[]): string {
  return `${column} IN (${words.map((word) => `'${word}'`).join(', ')})`;
}

/** An amount in a `bigint` column: whole paise. An unsafe number throws rather than being rounded. */
export const paise: ValueTransformer = {
  to(amount: number | null | undefined) {
    if (amount === null || amount === undefined) return amount;
    if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is no amount of paise`);
    return amount;
  },
  /** The driver reads a `bigint` as a number already, or throws. */
  from: (amount: number | null) => amount,
};
