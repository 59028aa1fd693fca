import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import type { TestProject } from 'vitest/node';
import { MIGRATIONS } from '../../migrations/index.js';
import { readDatabaseFunctions } from '../../src/platform/database/database-functions.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { installSandboxClock } from '../../src/sandbox/store/sandbox-clock.repository.js';
import { prepareDatabase } from '../../src/platform/database/prepare-database.js';
import { scratchFolder } from './scratch-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server that the run's databases stand on, and the migrated one that they are copies of. */
    postgres: { serverUrl: string; template: string };
  }
}

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

const SRC = new URL('../../src/', import.meta.url);
// Nothing of a test run must survive a power cut.
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Starts one PostgreSQL for the whole run (or takes TEST_DATABASE_URL's, whose user must be allowed
 * to create databases) and migrates the template once.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const template = `rinpath_template_${process.pid}`;
  try {
    await makeTemplate(server.url, template);
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('postgres', { serverUrl: server.url, template });
  return async () => {
    await onServer(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server.stop();
  };
}

async function startServer(): Promise<Server> {
  const external = process.env.TEST_DATABASE_URL;
  if (external) return { url: external, stop: () => Promise.resolve() };
  const dataDir = scratchFolder('rinpath-test-');
  // Under root the server runs as the user postgres, who must get in.
  chmodSync(dataDir, 0o755);
  const forget = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const running = await startEmbeddedPostgres({ dataDir, settings: FAST_SETTINGS });
    await letAllIn(running.url, dataDir);
    return { url: running.url, stop: () => running.stop().finally(forget) };
  } catch (error) {
    forget();
    throw error;
  }
}

/**
 * Proving a password takes some milliseconds of both sides, at each of thousands of connections. The server listens
 * on 127.0.0.1 alone and is gone after the run, so whoever comes is let in without.
 */
async function letAllIn(serverUrl: string, dataDir: string): Promise<void> {
  writeFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
  await onServer(serverUrl, 'SELECT pg_reload_conf()');
}

async function makeTemplate(serverUrl: string, template: string): Promise<void> {
  await onServer(serverUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await onServer(serverUrl, `CREATE DATABASE ${template}`);
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
  // A database that somebody is connected to cannot be copied.
  await onServer(serverUrl, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
