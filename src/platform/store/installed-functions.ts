import type { DataSource, EntityManager } from 'typeorm';
import { sha256 } from '../crypto/sha256.js';
import type { MigrationWays } from '../database/migrate.js';
import type { DatabaseFunction } from '../database/database-functions.js';

/**
 * Installs the functions whose text this database has never had; to be called under the boot lock. A
 * text that was installed once and replaced since stays replaced: an older replica that starts beside a
 * newer one has that text.
 */
export async function installFunctions(
  dataSource: DataSource,
  functions: readonly DatabaseFunction[],
  { lockTimeoutMs, report }: Pick<MigrationWays, 'lockTimeoutMs' | 'report'>,
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
