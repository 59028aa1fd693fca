import { type DataSource, type EntityManager, Entity } from 'typeorm';
import { NowColumn, TextKeyColumn } from '../database/columns.js';
import { rowsIfThere } from '../database/data-source.js';
import { sha256 } from '../crypto/keyring.js';
import type { MigrationOptions } from '../database/migrate.js';
import type { DatabaseFunction } from '../database/database-functions.js';

/** May have been replaced since. */
@Entity('schema_functions')
export class InstalledFunction {
  @TextKeyColumn
  readonly name: string;

  /** SHA-256 (hex). */
  @TextKeyColumn
  readonly checksum: string;

  @NowColumn
  readonly installedAt: Date;
}

/** Call under the boot lock. An older replica's restart must not restore a replaced text. */
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
