import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import { hearErrors, waysOf } from './data-source.js';

export interface MigrationOptions {
  readonly report: (line: string) => void;
  /** Calls queue for this long behind the waiting statement. */
  readonly lockTimeoutMs: number;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly isNewerAllowed: boolean;
}

export const DEFAULT_MIGRATION_OPTIONS: MigrationOptions = {
  report: () => undefined,
  lockTimeoutMs: 5_000,
  pause: sleep,
  isNewerAllowed: false,
};

const MAX_TRIES = 10;
const PAUSE_MS = 3_000;
const LOCK_TIMED_OUT = '55P03';

export class OtherSchemaError extends Error {
  override readonly name = 'OtherSchemaError';
}

/** @throws OtherSchemaError before the first release, or for unknown migrations */
export function refuseOtherSchema(
  dataSource: DataSource,
  done: readonly string[],
  { isNewerAllowed, report }: Pick<MigrationOptions, 'isNewerAllowed' | 'report'>,
): void {
  const known = new Set(dataSource.migrations.map(nameOf));
  const unknown = done.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const [first] = dataSource.migrations.map(nameOf);
  if (unknown.some((name) => timestampOf(name) < timestampOf(first))) {
    throw new OtherSchemaError(
      'This database is older than the first release; start with an empty one.',
    );
  }
  if (!isNewerAllowed) {
    throw new OtherSchemaError(
      `The database has migrations that this release does not know: ${unknown.join(', ')}. Start a release that knows ` +
        'them. To start this release anyway, set ALLOW_NEWER_SCHEMA=true (docs/operators/operations.md).',
    );
  }
  report(
    `ALLOW_NEWER_SCHEMA=true accepts migrations that this release does not know: ${unknown.join(', ')}`,
  );
}

export function nameOf({ name, constructor }: MigrationInterface): string {
  return name ?? constructor.name;
}

function timestampOf(name: string): number {
  return Number(name.slice(-13));
}

/** Each migration has its own transaction and no statement timeout. */
export async function migrate(dataSource: DataSource, options: MigrationOptions): Promise<void> {
  const patient = new DataSource({
    ...dataSource.options,
    url: waysOf(dataSource).sessionUrl,
    poolSize: 1,
    extra: {
      options: `-c statement_timeout=0 -c lock_timeout=${options.lockTimeoutMs}`,
      onConnect: hearErrors,
    },
  } as DataSourceOptions);
  await patient.initialize();
  try {
    const ran = watchMigrations(patient, options.report);
    await whileLocked(options, () => patient.runMigrations({ transaction: 'each' }));
    ran.reportLast();
  } finally {
    await patient.destroy();
  }
}

/**
 * Other transactions proceed in the pauses.
 * @throws Error of the tenth try
 */
export async function whileLocked<Result>(
  { report, pause }: MigrationOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_TIMED_OUT || tries === MAX_TRIES) throw error;
      report(
        `A migration waited too long for a lock. Attempt ${tries + 1} of ${MAX_TRIES} starts in ${PAUSE_MS / 1_000} s`,
      );
      await pause(PAUSE_MS);
    }
  }
}

/** A migration is committed only when the next one begins. */
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
      last = `Migration ${nameOf(migration)} ran in ${seconds} s`;
    };
  }
  return { reportLast };
}
