import type { DataSource } from 'typeorm';
import {
  rowsIfThere,
  type Schema,
  sessionClient,
  isPooled,
  SESSION_SETTINGS,
} from './data-source.js';
import type { Mode } from '../config/environment.js';
import { keepDeploymentMode, readDeploymentMode } from '../store/deployment.js';
import { functionsToInstall, installFunctions } from '../store/installed-functions.js';
import type { DatabaseFunction } from './database-functions.js';
import {
  migrate,
  type MigrationOptions,
  nameOf,
  refuseOtherSchema,
  DEFAULT_MIGRATION_OPTIONS,
  whileLocked,
} from './migrate.js';

// Arbitrary; no other code locks this number.
const BOOT_LOCK = 7_415_263;
// The longest timer: about 25 days.
const LONGEST_WAIT_MS = 2_147_483_647;
/** Overrides the role's statement timeout. */
const NO_LIMITS = '-c statement_timeout=0';

export async function withBootLock<Result>(
  dataSource: DataSource,
  work: () => Promise<Result>,
): Promise<Result> {
  // The lock belongs to the session, and another process may migrate for long.
  const client = sessionClient(dataSource, { options: NO_LIMITS, query_timeout: LONGEST_WAIT_MS });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [BOOT_LOCK]);
    return await work();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * A database keeps its first mode.
 * @throws Error, before any change, for another mode, unknown migrations or missing role settings
 */
export async function prepareDatabase(
  dataSource: DataSource,
  mode: Mode,
  { functions, installSandboxClock }: Pick<Schema, 'functions' | 'installSandboxClock'>,
  given: Partial<MigrationOptions> = {},
): Promise<void> {
  const options = { ...DEFAULT_MIGRATION_OPTIONS, ...given };
  await withBootLock(dataSource, async () => {
    await refuseUnsetRole(dataSource);
    await refuseOtherMode(dataSource, mode);
    refuseOtherSchema(dataSource, await migrationsDone(dataSource), options);
    await migrate(dataSource, options);
    await whileLocked(options, () =>
      installFunctions(dataSource, functionsOf(mode, functions), options),
    );
    await keepDeploymentMode(dataSource, mode);
    if (mode === 'sandbox') await installSandboxClock(dataSource);
  });
}

/**
 * Read-only.
 * @throws Error for another mode or unknown migrations
 */
export async function missingMigrations(
  dataSource: DataSource,
  mode: Mode,
  functions: readonly DatabaseFunction[],
  isNewerAllowed = DEFAULT_MIGRATION_OPTIONS.isNewerAllowed,
): Promise<string[]> {
  await refuseOtherMode(dataSource, mode);
  const done = new Set(await migrationsDone(dataSource));
  refuseOtherSchema(dataSource, [...done], { ...DEFAULT_MIGRATION_OPTIONS, isNewerAllowed });
  const names = dataSource.migrations.map(nameOf);
  const lacking = await functionsToInstall(dataSource, functionsOf(mode, functions));
  return [...names.filter((name) => !done.has(name)), ...lacking.map(({ name }) => name)];
}

/** `installSandboxClock` replaces this function in a sandbox. */
function functionsOf(
  mode: Mode,
  functions: readonly DatabaseFunction[],
): readonly DatabaseFunction[] {
  return mode === 'sandbox' ? functions.filter(({ name }) => name !== 'app_now') : functions;
}

async function migrationsDone(dataSource: DataSource): Promise<string[]> {
  const rows = await rowsIfThere<{ name: string }>(dataSource, 'schema_migrations', 'name');
  return rows.map(({ name }) => name);
}

async function refuseOtherMode(dataSource: DataSource, mode: Mode): Promise<void> {
  const kept = await readDeploymentMode(dataSource);
  if (kept === null || kept === mode) return;
  throw new Error(
    `This database belongs to a ${kept} deployment, and MODE is ${mode}: ` +
      'use another database for each mode.',
  );
}

/** A longer limit would let one call block others. */
const LONGEST_MS = 60_000;

/** @throws Error with the statements that set what the pooler's role lacks */
async function refuseUnsetRole(dataSource: DataSource): Promise<void> {
  if (!isPooled(dataSource)) return;
  const rows = await dataSource.query<{ name: string; setting: string; role: string }[]>(
    `SELECT name, setting, quote_ident(current_user) AS role
     FROM pg_settings WHERE name = ANY ($1) ORDER BY name`,
    [Object.keys(SESSION_SETTINGS)],
  );
  const missing = rows.filter(({ setting }) => !serves(setting));
  if (missing.length === 0) return;
  const statements = missing.map(
    ({ name, role }) =>
      `ALTER ROLE ${role} SET ${name} = ${SESSION_SETTINGS[name as keyof typeof SESSION_SETTINGS]};`,
  );
  throw new Error(
    `The pooler in DATABASE_URL opens connections without settings that the service needs. ` +
      `Run ${statements.join(' ')} and make the pooler reconnect.`,
  );
}

/** @param setting a switch, or a limit in milliseconds (0: none) */
function serves(setting: string): boolean {
  if (setting === 'on' || setting === 'off') return setting === 'off';
  return Number(setting) > 0 && Number(setting) <= LONGEST_MS;
}
