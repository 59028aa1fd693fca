import { fileURLToPath } from 'node:url';
import { type ClientBase, Pool, type PoolConfig, type QueryConfig, types } from 'pg';
import type { DataSource, DataSourceOptions, EntitySchema, MixedList } from 'typeorm';
import type { DatabaseFunction } from './database-functions.js';
import type { SealedSamples } from '../crypto/sealed-samples.js';
import { READ_ONLY } from './connection-lost.js';

type EntityClass = (new () => object) | EntitySchema;

/** The classes of the migrations, oldest first; the composition root knows them. */
export type Migrations = MixedList<new () => object>;

/** What the composition root knows of the schema. */
export interface Schema {
  readonly entities: MixedList<EntityClass>;
  readonly migrations: Migrations;
  /** The functions that live in the database, in their current text. */
  readonly functions: readonly DatabaseFunction[];
  /** Has the time of a sandbox's database be movable; production's never is. */
  readonly installSandboxClock: (dataSource: DataSource) => Promise<void>;
  /** Of every module that seals values in its columns. */
  readonly sealedSamples: readonly SealedSamples[];
}

interface DataSourceInput extends Pick<Schema, 'entities' | 'migrations'> {
  readonly url: string;
  /**
   * Where a connection keeps its session, when `url` leads through a pooler that gives each transaction another one.
   * Left out: `url` keeps it.
   */
  readonly sessionUrl?: string;
  /** A standby that may answer lists; left out: none. */
  readonly readUrl?: string;
  /** Whether statements may be kept under a name at `url`; they may when left out. */
  readonly keepsStatements?: boolean;
  readonly poolSize: number;
  /** Whether a server that takes no writes will do, too. */
  readonly readsOnly?: boolean;
}

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 15_000;
// For a server that is no longer heard of; one that is ends the statement first.
const ANSWER_TIMEOUT_MS = 17_000;

const SESSION_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  // A replica that is paused or cut off inside a transaction must not keep its locks.
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
};

/** What a connection is told as it starts; a pooler cannot pass it on, and the role's settings say it there. */
export const SESSION_SETTINGS = {
  ...SESSION_LIMITS,
  // Every statement touches few rows. Where the server guesses high, as before a table's first ANALYZE, compiling one
  // costs more than running it, at a COMMIT, too, where foreign keys are looked up.
  jit: 'off',
};

/** `SESSION_SETTINGS` as `pg` passes them on. */
const SESSION_START: PoolConfig = { ...SESSION_LIMITS, options: `-c jit=${SESSION_SETTINGS.jit}` };

/** What the ways to the database have in common, beside TypeORM's own options. */
interface ConnectionOptions {
  readonly url: string;
  readonly sessionUrl: string;
  readonly readUrl?: string;
  readonly keepsStatements: boolean;
  readonly poolSize: number;
  readonly connectTimeoutMS: number;
  readonly extra: PoolConfig;
}

/** TypeORM's options; the schema is the migrations' work alone, never `synchronize`'s. */
export function dataSourceOptions(input: DataSourceInput): DataSourceOptions & ConnectionOptions {
  readBigintsAsNumbers();
  const { url, sessionUrl = url, readUrl, keepsStatements = true } = input;
  return {
    type: 'postgres',
    sessionUrl,
    readUrl,
    keepsStatements,
    url,
    entities: input.entities as DataSourceOptions['entities'],
    migrations: input.migrations as DataSourceOptions['migrations'],
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    logging: false,
    poolSize: input.poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'rinpath',
    extra: {
      ...(sessionUrl === url && SESSION_START),
      query_timeout: ANSWER_TIMEOUT_MS,
      onConnect: input.readsOnly ? hearErrors : takeWritable,
    },
  };
}

/** The ways of a data source that `dataSourceOptions` was made for. */
export function waysOf({ options }: DataSource): ConnectionOptions {
  return options as DataSourceOptions & ConnectionOptions;
}

/** The pool on which requests and tasks are served. */
export function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { master: Pool }).master;
}

/** Whether `url` leads through a pooler, so that a connection has another session in each transaction. */
export function isPooled(dataSource: DataSource): boolean {
  const { url, sessionUrl } = waysOf(dataSource);
  return url !== sessionUrl;
}

/** A pool beside TypeORM's. An idle connection that breaks is replaced at the next statement. */
export function newPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => undefined);
  return pool;
}

/** How `newPool` connects where a session is kept. */
export function sessionConnection(dataSource: DataSource): PoolConfig {
  const { sessionUrl, connectTimeoutMS, extra } = waysOf(dataSource);
  return {
    connectionString: sessionUrl,
    connectionTimeoutMillis: connectTimeoutMS,
    ...extra,
    ...SESSION_START,
  };
}

/**
 * What each pool does with a new connection. A pool listens to one while it is idle, and whoever has it
 * listens from some later moment on: what a server says as it ends may come between, with the answer
 * before, and an error that nobody hears ends the process. The next statement fails all the same.
 */
export function hearErrors(client: ClientBase): void {
  client.on('error', () => undefined);
}

/**
 * A pool's look at each new connection: it keeps it when this is done, and gives it up when this throws; whoever waits
 * is told once its end is known, so it ends here. Sessions with a
 * standby would be kept after a failover otherwise, for as long as they are only read on, and would read what is out of
 * date. Not by the pool's `verify`: whoever waits for a connection may give up meanwhile, and it would be nobody's then.
 */
async function takeWritable(client: ClientBase): Promise<void> {
  hearErrors(client);
  try {
    await assertWritable(client, CONNECT_TIMEOUT_MS);
  } catch (error) {
    breakConnection(client);
    throw error;
  }
}

/** Where a file of the project stands, given relative to its root, from source or from `dist`. */
export function projectPath(relative: string): string {
  const inDist = import.meta.url.includes('/dist/src/');
  return fileURLToPath(
    new URL(`${inDist ? '../../../../' : '../../../'}${relative}`, import.meta.url),
  );
}

interface Connection {
  query(query: QueryConfig): Promise<{ rows: unknown[] }>;
}

/** A session that would refuse every write. */
class ReadOnlyDatabaseError extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('a standby, or a server that is set to refuse writes');
    this.name = 'ReadOnlyDatabaseError';
  }
}

/**
 * @throws Error that `isConnectionLost` knows when the session takes no writes (on a standby the
 *   setting says so, too), or when it says nothing within so many milliseconds
 */
export async function assertWritable(connection: Connection, withinMs: number): Promise<void> {
  const { rows } = await connection.query({
    text: `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
    query_timeout: withinMs,
  } as QueryConfig);
  if ((rows[0] as { isReadOnly: boolean }).isReadOnly) throw new ReadOnlyDatabaseError();
}

/** Ends a connection without a goodbye: on one where an answer never came, nobody may be there to take it. */
export function breakConnection(client: ClientBase): void {
  const { connection } = client as ClientBase & {
    readonly connection: { readonly stream: { destroy(): void } };
  };
  connection.stream.destroy();
}

/**
 * Has `bigint` columns read as numbers. Money is paise and counters are counts; one past 2^53 would
 * be a mistake elsewhere, and throws rather than being rounded.
 */
export function readBigintsAsNumbers(): void {
  types.setTypeParser(types.builtins.INT8, (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is past the safe integers');
    return value;
  });
}

/** The rows of a table; none before the migration that creates it. */
export async function rowsIfThere<Row>(
  dataSource: DataSource,
  table: string,
  columns: string,
): Promise<Row[]> {
  const [{ name }] = await dataSource.query<{ name: string | null }[]>(
    'SELECT to_regclass($1) AS name',
    [table],
  );
  return name === null ? [] : dataSource.query<Row[]>(`SELECT ${columns} FROM ${table}`);
}
