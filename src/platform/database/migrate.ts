import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import { hearErrors, waysOf } from './data-source.js';

/** How a schema is brought up to date; a test has times of its own. */
export interface MigrationWays {
  /** Logs one line. */
  readonly report: (line: string) => void;
  /** The longest that a migration waits for a lock: what comes behind it waits as long. */
  readonly lockTimeoutMs: number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Whether to start on a schema that a newer release has migrated. */
  readonly isNewerAllowed: boolean;
}

export const USUAL_WAYS: MigrationWays = {
  report: () => undefined,
  lockTimeoutMs: 5_000,
  pause: sleep,
  isNewerAllowed: false,
};

const MAX_TRIES = 10;
const PAUSE_MS = 3_000;
/** PostgreSQL's lock_not_available. */
const LOCK_TIMED_OUT = '55P03';

/** A newer release has migrated the database. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(names: readonly string[]) {
    super(
      `A newer release has migrated this database: this one does not know ${names.join(', ')}. Start the newer ` +
        'release; or, to go back to this one, set ALLOW_NEWER_SCHEMA=true (docs/operations.md).',
    );
  }
}

/** @throws NewerSchemaError when the database has migrations that this release does not know */
export function refuseNewerSchema(dataSource: DataSource, done: readonly string[]): void {
  const known = new Set(dataSource.migrations.map(nameOf));
  const unknown = done.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
}

export function nameOf({ name, constructor }: MigrationInterface): string {
  return name ?? constructor.name;
}

/** Runs the migrations that the database lacks, each in a transaction, on a connection whose statements may take long. */
export async function migrate(dataSource: DataSource, ways: MigrationWays): Promise<void> {
  const patient = new DataSource({
    ...dataSource.options,
    url: waysOf(dataSource).sessionUrl,
    poolSize: 1,
    extra: {
      options: `-c statement_timeout=0 -c lock_timeout=${ways.lockTimeoutMs}`,
      onConnect: hearErrors,
    },
  } as DataSourceOptions);
  await patient.initialize();
  try {
    const ran = watchMigrations(patient, ways.report);
    await whileLocked(ways, () => patient.runMigrations({ transaction: 'each' }));
    ran.reportLast();
  } finally {
    await patient.destroy();
  }
}

/**
 * Does `work` again, after a pause in which other transactions get their locks, while it fails to get a lock in time.
 * @throws Error after so many tries; the start fails then and is repeated
 */
export async function whileLocked<Result>(
  { report, pause }: MigrationWays,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_TIMED_OUT || tries === MAX_TRIES) throw error;
      report(
        `A migration waited too long for a lock; try ${tries + 1} of ${MAX_TRIES} in ${PAUSE_MS / 1_000} s`,
      );
      await pause(PAUSE_MS);
    }
  }
}

/** Has a line logged for each migration that ran, once the next one begins: it is committed then. */
function watchMigrations({ migrations }: DataSource, report: (line: string) => void) {
  let last: string | null = null;
  const reportLast = () => {
    if (last !== null) report(last);
    last = null;
  };
  for (const migration of migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      reportLast();
      const startedAt = performance.now();
      await up(runner);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      last = `The migration ${nameOf(migration)} ran in ${seconds} s`;
    };
  }
  return { reportLast };
}
