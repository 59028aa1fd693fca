// Isolated: starts on schemas of other releases.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.js';
import { SCHEMA } from '../../../src/schema.js';
import { projectPath, type Schema } from '../../../src/platform/index.js';
import { runCommand } from '../../support/admin-command.js';
import { PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { HeldLock } from '../../support/held-lock.js';
import { startService, TEST_MASTER_KEY } from '../../support/service.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/test-database.js';

/** A migration of the next release. */
class NextRelease1999999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE brought_by_the_next_release (one boolean PRIMARY KEY)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE brought_by_the_next_release');
  }
}

// In the sandbox one of the functions is replaced by its own clock.
const ALL_MIGRATIONS = MIGRATIONS.length + SCHEMA.functions.length - 1;
const NEXT_RELEASE = [...MIGRATIONS, NextRelease1999999999999];
const READING = [
  ['keys', 'list'],
  ['partners', 'list'],
  ['deliveries', 'list'],
];
// The lock of platform/database/prepare-database.ts that a migrating replica holds.
const BOOT_LOCK = 'SELECT pg_advisory_xact_lock(7415263)';

let directory: string;
let database: TestDatabase;
let client: Client;

beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'rinpath-schema-behind-'))));
afterAll(() => rmSync(directory, { recursive: true }));

async function open(made: TestDatabase): Promise<void> {
  database = made;
  client = new Client({ connectionString: made.url });
  await client.connect();
}

afterEach(async () => {
  await client.end();
  await database.drop();
});

async function run(
  parameters: string[],
  migrations: Schema['migrations'] = MIGRATIONS,
  variables: Record<string, string> = {},
) {
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    MASTER_KEY: TEST_MASTER_KEY,
    CONFIG_FILE: projectPath('config/sandbox.yaml'),
    ...variables,
  };
  const { code, out, error } = await runCommand(parameters, environment, {
    schema: { ...SCHEMA, migrations },
  });
  return { code, text: out + error };
}

/** Everything that a migration would change. */
async function schema(): Promise<unknown[]> {
  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     ORDER BY 1`,
  );
  return rows;
}

it('on a database without any schema what reads makes none, and names what is missing', async () => {
  await open(await createEmptyDatabase());
  const { code, text } = await run(READING[0]);
  expect(code).toBe(1);
  expect(text).toContain(
    `The database schema is outdated: it lacks ${ALL_MIGRATIONS} migrations: Platform1766000010000, `,
  );
  expect(text).not.toContain(' at ');
  expect(await schema()).toEqual([]);
});

describe('on a database of the release before', () => {
  beforeEach(async () => open(await createTestDatabase()));

  it('what reads or is noted leaves the schema, and names the one migration', async () => {
    const before = await schema();
    const text =
      'Error: The database schema is outdated: it lacks the migration NextRelease1999999999999. This ' +
      'command does not migrate it. Start this release, or run a command that changes something.';
    for (const words of [
      ...READING,
      ['audit', 'export', '--journey', `jrn_${'0'.repeat(32)}`],
      ['audit', 'note', 'Restored the backup of yesterday'],
      ['audit', 'verify'],
    ]) {
      expect(await run(words, NEXT_RELEASE)).toEqual({ code: 1, text });
    }
    // The command does not wait for a migrating replica.
    const migrating = await HeldLock.take(database.url, BOOT_LOCK);
    try {
      expect(await run(READING[0], NEXT_RELEASE)).toEqual({ code: 1, text });
      expect((await run(READING[0])).code).toBe(0);
    } finally {
      await migrating.release();
    }
    expect(await schema()).toEqual(before);
  });

  it('two commands that change something bring it up to date once, and then all is read', async () => {
    const both = await Promise.all([1, 2].map(() => run(['config', 'apply'], NEXT_RELEASE)));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const said = both.map(({ text }) => text).join();
    expect(said.match(/Migration NextRelease1999999999999 ran in \d+\.\d s/g)).toHaveLength(1);
    expect(await schema()).toContainEqual({ relname: 'brought_by_the_next_release' });
    for (const words of READING) expect((await run(words, NEXT_RELEASE)).code).toBe(0);
  });

  it('of the other mode what reads is refused, too', async () => {
    const { code, text } = await run(READING[0], MIGRATIONS, PRODUCTION_VARIABLES);
    expect(code).toBe(1);
    expect(text).toContain('This database belongs to a sandbox deployment');
  });
});

it('on a database of the next release commands and the start are refused, unless ALLOW_NEWER_SCHEMA is set', async () => {
  await open(await createTestDatabase());
  expect((await run(['config', 'apply'], NEXT_RELEASE)).code).toBe(0);
  const before = await schema();
  const sentence =
    'The database has migrations that this release does not know: NextRelease1999999999999. Start a release that knows ' +
    'them. To start this release anyway, set ALLOW_NEWER_SCHEMA=true (docs/operators/operations.md).';
  for (const words of [...READING, ['config', 'apply']]) {
    expect(await run(words)).toEqual({ code: 1, text: `Error: ${sentence}` });
  }
  await expect(startService({ databaseUrl: database.url })).rejects.toThrow(sentence);
  const allowed = { ALLOW_NEWER_SCHEMA: 'true' };
  for (const words of READING) expect((await run(words, MIGRATIONS, allowed)).code).toBe(0);
  expect(await run(['config', 'apply'], MIGRATIONS, allowed)).toEqual({
    code: 0,
    text: expect.stringMatching(/does not know: NextRelease1999999999999/),
  });
  expect(await schema()).toEqual(before);
  const service = await startService({ databaseUrl: database.url, environment: allowed });
  await service.close();
  expect(await schema()).toContainEqual({ relname: 'brought_by_the_next_release' });
});
