import { fileURLToPath } from 'node:url';
import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolConfig,
  type QueryConfig,
  types,
} from 'pg';
import type { DataSource, DataSourceOptions, EntitySchema, MixedList } from 'typeorm';
import type { DatabaseFunction } from './database-functions.js';
import type { SealedSamples } from '../crypto/keyring.js';
import { NAMES } from './columns.js';
import { READ_ONLY } from './connection-lost.js';

type EntityClass = (new () => object) | EntitySchema;

/** Oldest first. */
export type Migrations = MixedList<new () => object>;

/** What a reset of the sandbox keeps of a module; it empties the module's other tables. */
export interface KeptByReset {
  readonly entities: readonly EntityClass[];
  /** Run before the tables are emptied. */
  readonly before?: string;
  readonly after?: string;
}

export interface Schema {
  readonly entities: MixedList<EntityClass>;
  readonly migrations: Migrations;
  readonly functions: readonly DatabaseFunction[];
  readonly installSandboxClock: (dataSource: DataSource) => Promise<void>;
  readonly sealedSamples: readonly SealedSamples[];
  readonly keptByReset: readonly KeptByReset[];
}

interface DataSourceInput extends Pick<Schema, 'entities' | 'migrations'> {
  readonly url: string;
  /** Required when `url` leads to a pooler that shares sessions. */
  readonly sessionUrl?: string;
  readonly readUrl?: string;
  readonly keepsStatements?: boolean;
  readonly poolSize: number;
  readonly readsOnly?: boolean;
}

const CONNECT_TIMEOUT_MS = 3_000;
/** A new connection costs PostgreSQL far more than an idle one; `pg` would close it after 10 s. */
const IDLE_TIMEOUT_MS = 60_000;
const STATEMENT_TIMEOUT_MS = 15_000;
// For unreachable servers; a reachable one ends the statement first.
const ANSWER_TIMEOUT_MS = 17_000;

const SESSION_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  // Releases the locks of a paused or disconnected replica.
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
};

/** Set at connect; behind a pooler, set them on the role. */
export const SESSION_SETTINGS = {
  ...SESSION_LIMITS,
  // Before a first ANALYZE the planner overestimates, and compiling costs more than running.
  jit: 'off',
};

const SESSION_START: PoolConfig = { ...SESSION_LIMITS, options: `-c jit=${SESSION_SETTINGS.jit}` };

interface ConnectionOptions {
  readonly url: string;
  readonly sessionUrl: string;
  readonly readUrl?: string;
  readonly keepsStatements: boolean;
  readonly poolSize: number;
  readonly connectTimeoutMS: number;
  readonly extra: PoolConfig;
}

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
    namingStrategy: NAMES,
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    logging: false,
    poolSize: input.poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'rinpath',
    extra: {
      ...(sessionUrl === url && SESSION_START),
      query_timeout: ANSWER_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      onConnect: input.readsOnly ? hearErrors : takeWritable,
    },
  };
}

export function waysOf({ options }: DataSource): ConnectionOptions {
  return options as DataSourceOptions & ConnectionOptions;
}

export function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { master: Pool }).master;
}

export function isPooled(dataSource: DataSource): boolean {
  const { url, sessionUrl } = waysOf(dataSource);
  return url !== sessionUrl;
}

/** Replaces a broken idle connection at the next statement. */
export function newPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => undefined);
  return pool;
}

export function sessionConnection(dataSource: DataSource): PoolConfig {
  const { sessionUrl, connectTimeoutMS, extra } = waysOf(dataSource);
  return {
    connectionString: sessionUrl,
    connectionTimeoutMillis: connectTimeoutMS,
    ...extra,
    ...SESSION_START,
  };
}

/** Outside the pool. */
export function sessionClient(dataSource: DataSource, config: ClientConfig): Client {
  const { sessionUrl, connectTimeoutMS } = waysOf(dataSource);
  const client = new Client({
    connectionString: sessionUrl,
    connectionTimeoutMillis: connectTimeoutMS,
    ...config,
  });
  hearErrors(client);
  return client;
}

/** Without a listener, a closing server's error would end the process. */
export function hearErrors(client: ClientBase): void {
  client.on('error', () => undefined);
}

/**
 * Rejects standbys: after a failover their sessions would read outdated rows. The pool's `verify`
 * would leak the connection after the caller gave up.
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

/** Works from source and from `dist`. */
export function projectPath(relative: string): string {
  const inDist = import.meta.url.includes('/dist/src/');
  return fileURLToPath(
    new URL(`${inDist ? '../../../../' : '../../../'}${relative}`, import.meta.url),
  );
}

interface Connection {
  query(query: QueryConfig): Promise<{ rows: unknown[] }>;
}

class ReadOnlyDatabaseError extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('a standby, or a server that is set to refuse writes');
    this.name = 'ReadOnlyDatabaseError';
  }
}

/** @throws Error that `isConnectionLost` recognises, when the session is read-only or too slow */
export async function assertWritable(connection: Connection, withinMs: number): Promise<void> {
  const { rows } = await connection.query({
    text: `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
    query_timeout: withinMs,
  } as QueryConfig);
  if ((rows[0] as { isReadOnly: boolean }).isReadOnly) throw new ReadOnlyDatabaseError();
}

/** A dead server would not read a terminate message. */
export function breakConnection(client: ClientBase): void {
  const { connection } = client as ClientBase & {
    readonly connection: { readonly stream: { destroy(): void } };
  };
  connection.stream.destroy();
}

/** Throws past 2^53 instead of rounding. */
function readBigintsAsNumbers(): void {
  types.setTypeParser(types.builtins.INT8, (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is not a safe integer');
    return value;
  });
}

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
