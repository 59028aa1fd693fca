// Isolated: runs migrations of its own.
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.js';
import { lockBriefly } from '../../../migrations/lock-briefly.js';
import { dataSourceOptions, prepareDatabase } from '../../../src/platform/index.js';
import { SCHEMA } from '../../../src/schema.js';
import { HeldLock } from '../../support/held-lock.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

class AddsColumn1999999999999 implements MigrationInterface {
  name = 'AddsColumn1999999999999';

  async up(runner: QueryRunner): Promise<void> {
    if (isBrief) await lockBriefly(runner, 'journeys');
    await runner.query('ALTER TABLE journeys ADD COLUMN added boolean');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

let isBrief: boolean;
let database: TestDatabase;
let dataSource: DataSource;
let lock: HeldLock;

beforeEach(async () => {
  isBrief = false;
  database = await createTestDatabase();
  const migrations = [...MIGRATIONS, AddsColumn1999999999999];
  const options = { ...SCHEMA, migrations, url: database.url, poolSize: 2 };
  dataSource = await new DataSource(dataSourceOptions(options)).initialize();
  lock = await HeldLock.take(database.url, 'SELECT 1 FROM (SELECT 1) AS one');
  await lock.query('LOCK TABLE journeys IN ACCESS SHARE MODE');
});

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

function boot(pause: () => Promise<unknown>, lines: string[]): Promise<void> {
  const report = (line: string) => void lines.push(line);
  return prepareDatabase(dataSource, 'sandbox', SCHEMA, { pause, report, lockTimeoutMs: 50 });
}

it('a migration gives up its wait for a lock, pauses, tries again, and is logged when it ran', async () => {
  const lines: string[] = [];
  let pauses = 0;
  await boot(async () => {
    pauses += 1;
    // Nothing of it waits for the table meanwhile, which would keep every other call waiting.
    const other = await HeldLock.take(database.url, 'SELECT 1 FROM (SELECT 1) AS one');
    await other.query('SELECT count(*) FROM journeys');
    await other.release();
    if (pauses === 2) await lock.release();
  }, lines);
  expect(lines).toEqual([
    'A migration waited too long for a lock; try 2 of 10 in 3 s',
    'A migration waited too long for a lock; try 3 of 10 in 3 s',
    expect.stringMatching(/^The migration AddsColumn1999999999999 ran in \d+\.\d s$/),
  ]);
});

it('after ten tries the start fails', async () => {
  let pauses = 0;
  const booted = boot(() => Promise.resolve((pauses += 1)), []);
  await expect(booted).rejects.toThrow('lock timeout');
  expect(pauses).toBe(9);
  await lock.release();
});

it('a migration that locks briefly fails within seconds, and is tried again after a pause', async () => {
  isBrief = true;
  const lines: string[] = [];
  await boot(() => lock.release(), lines);
  expect(lines).toEqual([
    'A migration waited too long for a lock; try 2 of 10 in 3 s',
    expect.stringMatching(/^The migration AddsColumn1999999999999 ran in/),
  ]);
});
