import { type DataSource, type EntityManager, Column, Entity, PrimaryColumn } from 'typeorm';
import { rowsIfThere } from '../database/data-source.js';
import { sha256 } from '../crypto/digests.js';
import type { MigrationOptions } from '../database/migrate.js';
import type { DatabaseFunction } from '../database/database-functions.js';

const PRIMARY_KEY = { primaryKeyConstraintName: 'schema_functions_pkey' };

/** A text of a database function that was installed once: the current one, or one before it. */
@Entity('schema_functions')
export class InstalledFunction {
  @PrimaryColumn({ type: 'text', ...PRIMARY_KEY })
  readonly name: string;

  /** SHA-256 (hex) of the text. */
  @PrimaryColumn({ type: 'text', ...PRIMARY_KEY })
  readonly checksum: string;

  @Column({ name: 'installed_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly installedAt: Date;
}

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
  const rows = await rowsIfThere<Pick<InstalledFunction, 'name' | 'checksum'>>(
    dataSource,
    'schema_functions',
    'name, checksum',
  );
  return new Set(rows.map(({ name, checksum }) => `${name} ${checksum}`));
}
