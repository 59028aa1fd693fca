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

/** What the next release brings. */
class NextRelease1999999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE brought_by_the_next_release (one boolean PRIMARY KEY)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE brought_by_the_next_release');
  }
}

// A sandbox has a clock of its own in the place of one of the functions.
const ALL_MIGRATIONS = MIGRATIONS.length + SCHEMA.functions.length - 1;
const NEXT_RELEASE = [...MIGRATIONS, NextRelease1999999999999];
const READING = [
  ['keys', 'list'],
  ['partners', 'list'],
  ['deliveries', 'list'],
];
// The lock of platform/database/prepare-database.ts, which a replica holds while it migrates.
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

/** Everything that a migration would leave behind. */
async function schema(): Promise<unknown[]> {
  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     ORDER BY 1`,
  );
  return rows;
}

describe('on a database without any schema', () => {
  beforeEach(async () => open(await createEmptyDatabase()));

  it.each(READING)('%s %s makes none, and names what is missing', async (...parameters) => {
    const { code, text } = await run(parameters);
    expect(code).toBe(1);
    expect(text).toContain(
      `The database is not up to date: it lacks ${ALL_MIGRATIONS} migrations: Platform1766000010000, `,
    );
    expect(text).not.toContain(' at ');
    expect(await schema()).toEqual([]);
  });
});

describe('on a database of the release before', () => {
  beforeEach(async () => open(await createTestDatabase()));

  it.each(READING)('%s %s leaves the schema, and names the one migration', async (...words) => {
    const before = await schema();
    expect(await run(words, NEXT_RELEASE)).toEqual({
      code: 1,
      text:
        'The database is not up to date: it lacks the migration NextRelease1999999999999. This ' +
        'command changes no schema; a start of this release does, or a command that changes something.',
    });
    expect(await schema()).toEqual(before);
  });

  it.each([
    ['audit', 'export', '--journey', `jrn_${'0'.repeat(32)}`],
    ['audit', 'note', 'Restored the backup of yesterday'],
    ['audit', 'verify'],
  ])('%s %s leaves the schema, noted or not', async (...words) => {
    const before = await schema();
    const { code, text } = await run(words, NEXT_RELEASE);
    expect([code, text]).toEqual([1, expect.stringContaining('is not up to date')]);
    expect(await schema()).toEqual(before);
  });

  it('a command that changes something brings it up to date, and then all is read', async () => {
    const { code, text } = await run(['config', 'apply'], NEXT_RELEASE);
    expect(code).toBe(0);
    expect(text).toMatch(/The migration NextRelease1999999999999 ran in \d+\.\d s/);
    expect(await schema()).toContainEqual({ relname: 'brought_by_the_next_release' });
    for (const words of READING) expect((await run(words, NEXT_RELEASE)).code).toBe(0);
  });

  it('two commands that change something bring it up to date once', async () => {
    const both = await Promise.all([1, 2].map(() => run(['config', 'apply'], NEXT_RELEASE)));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
  });

  it('what reads does not wait for a replica that is migrating', async () => {
    const migrating = await HeldLock.take(database.url, BOOT_LOCK);
    try {
      expect((await run(['keys', 'list'], NEXT_RELEASE)).text).toContain('is not up to date');
      expect((await run(['keys', 'list'])).code).toBe(0);
    } finally {
      await migrating.release();
    }
  });
});

describe('on a database of the next release', () => {
  beforeEach(async () => {
    await open(await createTestDatabase());
    expect((await run(['config', 'apply'], NEXT_RELEASE)).code).toBe(0);
  });

  it('the commands and the start of this one are refused, and name what it does not know', async () => {
    const before = await schema();
    const sentence =
      'The database has migrations that this release does not know: NextRelease1999999999999. Start the release that has ' +
      'them; or, to start this one all the same, set ALLOW_NEWER_SCHEMA=true (docs/operators/operations.md).';
    for (const words of [...READING, ['config', 'apply']]) {
      expect(await run(words)).toEqual({ code: 1, text: sentence });
    }
    await expect(startService({ databaseUrl: database.url })).rejects.toThrow(sentence);
    expect(await schema()).toEqual(before);
  });

  it('ALLOW_NEWER_SCHEMA has both go on, and they take nothing back', async () => {
    const before = await schema();
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
});

describe('on a database of the other mode', () => {
  beforeEach(async () => open(await createTestDatabase()));

  it('what reads is refused, too', async () => {
    const { code, text } = await run(['keys', 'list'], MIGRATIONS, PRODUCTION_VARIABLES);
    expect(code).toBe(1);
    expect(text).toContain('This database belongs to a sandbox deployment');
  });
});
