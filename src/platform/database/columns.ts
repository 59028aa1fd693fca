import {
  Column,
  type ColumnOptions,
  type ColumnType,
  DefaultNamingStrategy,
  getMetadataArgsStorage,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Table,
  type ValueTransformer,
} from 'typeorm';

type EntityClass<Entity> = new () => Entity;

export type ColumnOf<Entity> = keyof Entity & string;

/** `partner_id`, and in `journeys` the keys `journeys_pkey` and `journeys_partner`. */
class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(property: string, given?: string): string {
    return given ?? property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, [column]: string[]): string {
    return `${this.getTableName(table)}_${column.replace(/_id$/, '')}`;
  }
}

export const NAMES = new SnakeCaseNames();

/** An entity and its base classes, which may have columns, too. */
function lineage(entity: object): Function[] {
  const base: unknown = Object.getPrototypeOf(entity);
  return [entity as Function, ...(base === Function.prototype ? [] : lineage(base as object))];
}

export class Columns<Entity extends object> {
  readonly table: string;
  private readonly names: ReadonlyMap<ColumnOf<Entity>, string>;
  private readonly types: ReadonlyMap<string, string>;

  constructor(entity: EntityClass<Entity>) {
    const columns = getMetadataArgsStorage().filterColumns(lineage(entity));
    const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
    if (columns.length === 0 || !table) throw new Error(`${entity.name} is no entity`);
    this.table = table;
    this.names = new Map(
      columns.map(({ propertyName, options }) => [
        propertyName as ColumnOf<Entity>,
        NAMES.columnName(propertyName, options.name),
      ]),
    );
    this.types = new Map(
      columns.flatMap(({ propertyName, options: { type, array } }): [string, string][] =>
        typeof type === 'string' ? [[propertyName, array === true ? `${type}[]` : type]] : [],
      ),
    );
  }

  get properties(): ColumnOf<Entity>[] {
    return [...this.names.keys()];
  }

  name(property: ColumnOf<Entity>): string {
    const name = this.names.get(property);
    if (name === undefined) throw new Error(`${property} is no column`);
    return name;
  }

  /** @throws Error without a declared type: a wrong cast may change the value */
  type(property: ColumnOf<Entity>): string {
    const type = this.types.get(property);
    if (type === undefined) throw new Error(`${property} is no column with a type`);
    return type;
  }

  list(properties: readonly ColumnOf<Entity>[] = this.properties): string {
    return properties.map((property) => this.name(property)).join(', ');
  }

  qualified(properties: readonly ColumnOf<Entity>[]): string[] {
    return properties.map((property) => `${this.table}.${this.name(property)}`);
  }

  /** `j.id AS "id", j.partner_id AS "partnerId"` */
  selected(properties: readonly ColumnOf<Entity>[] = this.properties, alias?: string): string {
    const prefix = alias ? `${alias}.` : '';
    return properties
      .map((property) => `${prefix}${this.name(property)} AS "${property}"`)
      .join(', ');
  }

  /** `{ partner_id: 'p_1' }`, for `jsonb_populate_record`. */
  toRecord(values: Partial<Entity>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([property, value]) => [
        this.name(property as ColumnOf<Entity>),
        value instanceof Date ? timeText(value) : value,
      ]),
    );
  }
}

/** JavaScript and PostgreSQL write years past 9999 and before 1 differently. */
export function timeText(time: Date): string {
  const [, year, rest] = /^([+-]?\d+)(-.*)$/.exec(time.toISOString())!;
  const digits = String(Math.abs(Number(year) > 0 ? Number(year) : 1 - Number(year)));
  return `${digits.padStart(4, '0')}${rest}${Number(year) > 0 ? '' : ' BC'}`;
}

/** Unescaped: pass only constants. */
export function oneOf(column: string, words: readonly string[]): string {
  return `${column} IN (${words.map((word) => `'${word}'`).join(', ')})`;
}

/** Throws on an unsafe number instead of rounding. */
const PAISE: ValueTransformer = {
  to(amount: number | null | undefined) {
    if (amount === null || amount === undefined) return amount;
    if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is no amount of paise`);
    return amount;
  },
  /** The driver already returns a `bigint` as a number, or throws. */
  from: (amount: number | null) => amount,
};

export const PaiseColumn = (options: ColumnOptions = {}) =>
  Column('bigint', { ...options, transformer: PAISE });

export const TextColumn = Column('text');

export const TextKeyColumn = PrimaryColumn('text');

export const TimeColumn = Column('timestamptz');

export const IntegerColumn = Column('integer');

export const JsonColumn = Column('jsonb');

/** False at first. */
export const FlagColumn = Column('boolean', { default: false });

export const NullableColumn = (type: ColumnType) => Column({ type, nullable: true });

export const NullableTextColumn = NullableColumn('text');

export const NullableTimeColumn = NullableColumn('timestamptz');

/** Starts at 0. */
export const CountColumn = Column('integer', { default: 0 });

/** Counted by the database. */
export const IdentityColumn = PrimaryGeneratedColumn('identity', {
  type: 'bigint',
  generatedIdentity: 'ALWAYS',
});

/** The service's time, as SQL. */
export const appNow = () => 'app_now()';

/** The database's time of the insert. */
export const NowColumn = Column('timestamptz', { default: appNow });
