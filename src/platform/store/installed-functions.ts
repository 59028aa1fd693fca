import type { DataSource, EntityManager } from 'typeorm';
import { sha256 } from '../crypto/sha256.js';
import type { MigrationOptions } from '../database/migrate.js';
import type { DatabaseFunction } from '../database/database-functions.js';

/**
 * Installs the functions whose text this database has never had; to be called under the boot lock. A text that was
 * replaced stays replaced, so that a restarted replica of an older release does not undo it. Where that release does
 * not know all migrations, it starts only with ALLOW_NEWER_SCHEMA.
 */
export async function installFunctions(
  dataSource: DataSource,
  functions: readonly DatabaseFunction[],
  { lockTimeoutMs, report }: Pick<MigrationOptions, 'lockTimeoutMs' | 'report'>,
): Promise<void> {
  const missing = await functionsToInstall(dataSource, functions);
  await dataSource.transaction(async (manager) => {
    await manager.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    for (const each of missing) await install(manager, each);
  });
  for (const { name } of missing) report(`The function ${name} was installed`);
}

/** The functions that the database lacks in their current text. */
export async function functionsToInstall(
  dataSource: DataSource,
  functions: readonly DatabaseFunction[],
): Promise<DatabaseFunction[]> {
  const installed = await installedChecksums(dataSource);
  return functions.filter(({ name, text }) => !installed.has(`${name} ${sha256(text)}`));
}

async function install(manager: EntityManager, { name, text }: DatabaseFunction): Promise<void> {
  await manager.query(text);
  await manager.query('INSERT INTO schema_functions (name, checksum) VALUES ($1, $2)', [
    name,
    sha256(text),
  ]);
}

async function installedChecksums(dataSource: DataSource): Promise<ReadonlySet<string>> {
  const [table] = await dataSource.query<{ name: string | null }[]>(
    `SELECT to_regclass('schema_functions') AS name`,
  );
  if (!table?.name) return new Set();
  const rows = await dataSource.query<{ name: string; checksum: string }[]>(
    'SELECT name, checksum FROM schema_functions',
  );
  return new Set(rows.map(({ name, checksum }) => `${name} ${checksum}`));
}
