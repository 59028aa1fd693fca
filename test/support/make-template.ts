import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { readDatabaseFunctions } from '../../src/platform/database/database-functions.js';
import { prepareDatabase } from '../../src/platform/database/prepare-database.js';
import { installSandboxClock } from '../../src/sandbox/store/sandbox-clock.repository.js';
import { run } from './run-statement.ts';

const SRC = new URL('../../src/', import.meta.url);

/** Migrates a new database on the server; every test database is a copy of it. */
export async function makeTemplate(serverUrl: string, template: string): Promise<void> {
  await run(serverUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await run(serverUrl, `CREATE DATABASE ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  const dataSource = new DataSource(
    dataSourceOptions({ url: url.href, poolSize: 2, entities: [], migrations: MIGRATIONS }),
  );
  await dataSource.initialize();
  try {
    const functions = readDatabaseFunctions(SRC);
    await prepareDatabase(dataSource, 'sandbox', { functions, installSandboxClock });
  } finally {
    await dataSource.destroy();
  }
  // PostgreSQL does not copy a database that has connections.
  await run(serverUrl, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
}
