import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

// Any number; PostgreSQL copies a template for one caller at a time, and the others wait here.
const COPY_LOCK = 9_301_442;

const LOOKS = 200;
const LOOK_MS = 10;

/** A copy of the migrated template, with the sandbox's movable clock at offset zero. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(inject('postgres').template);
}

/** A database without any table, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom('template0');
}

async function createFrom(template: string): Promise<TestDatabase> {
  const name = `rinpath_test_${randomBytes(8).toString('hex')}`;
  await onServer(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [COPY_LOCK]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  });
  const url = new URL(inject('postgres').serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      onServer(async (client) => {
        await untilLeft(client, name);
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/**
 * Waits for a database's connections to end, for a limited number of checks, because the machine may pause. A pool
 * reports its end before its connections have ended, and cutting one off then raises an uncaught error.
 */
async function untilLeft(client: Client, name: string): Promise<void> {
  const left = async () => {
    const { rows } = await client.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [
      name,
    ]);
    return rows.length === 0;
  };
  for (let looks = 0; looks < LOOKS && !(await left()); looks += 1) await sleep(LOOK_MS);
}

async function onServer(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: inject('postgres').serverUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    // The lock ends with the connection.
    await client.end();
  }
}
