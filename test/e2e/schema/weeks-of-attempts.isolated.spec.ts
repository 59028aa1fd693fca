// Isolated: begins with an empty database.
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BoundOfAttempts1764700820000 } from '../../../migrations/1764700820000-bound-of-attempts.js';
import { WeeksOfAttempts1764700822000 } from '../../../migrations/1764700822000-weeks-of-attempts.js';
import { MIGRATIONS } from '../../../migrations/index.js';
import { dataSourceOptions } from '../../../src/platform/index.js';
import { HeldLock } from '../../support/held-lock.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

const DAY_MS = 86_400_000;
const BEFORE = MIGRATIONS.indexOf(BoundOfAttempts1764700820000);
const PARTED = MIGRATIONS.indexOf(WeeksOfAttempts1764700822000) + 1;

let database: TestDatabase;
/** A replica of the release before. */
let older: Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrate(BEFORE);
  older = new Client({ connectionString: database.url });
  await older.connect();
  // Far more than a step may keep it waiting, far less than a step may take to get its lock.
  await older.query(`SET lock_timeout = '2s'`);
});

afterEach(async () => {
  await older.end();
  await database.drop();
});

/** Brings the database to as many migrations as a boot that was killed there has left. */
async function migrate(count: number): Promise<void> {
  const options = { url: database.url, poolSize: 1, entities: [] };
  const source = new DataSource(
    dataSourceOptions({ ...options, migrations: MIGRATIONS.slice(0, count) }),
  );
  await source.initialize();
  try {
    await source.runMigrations({ transaction: 'each' });
  } finally {
    await source.destroy();
  }
}

let made = 0;

/** An attempt as the release before logs it, of a delivery of so many days from now. */
async function log(inDays = 0): Promise<string> {
  const time = (Date.now() + inDays * DAY_MS).toString(16).padStart(12, '0');
  const id = `dlv_${time}${String((made += 1)).padStart(20, '0')}`;
  await older.query(
    `INSERT INTO webhook_attempts (delivery_id, attempt, partner_id, started_at, duration_ms)
     VALUES ($1, 1, 'demo', now(), 7)`,
    [id],
  );
  return id;
}

/** The ids in the log, each with the partition that it stands in. */
async function logged(): Promise<Record<string, string>> {
  const { rows } = await older.query<{ id: string; part: string }>(
    'SELECT delivery_id AS id, tableoid::regclass::text AS part FROM webhook_attempts ORDER BY 1',
  );
  return Object.fromEntries(rows.map(({ id, part }) => [id, part]));
}

async function fileOf(table: string): Promise<number> {
  const { rows } = await older.query<{ file: number }>(
    'SELECT pg_relation_filenode($1::regclass) AS file',
    [table],
  );
  return rows[0].file;
}

describe('the log of attempts that is there', () => {
  it('becomes the partition of all until two weeks from now, without a row being copied', async () => {
    const ids = [await log(-40), await log()];
    const file = await fileOf('webhook_attempts');
    await migrate(PARTED);
    const parts = await logged();
    expect(parts).toEqual(Object.fromEntries(ids.map((id) => [id, 'webhook_attempts_earlier'])));
    expect(await fileOf('webhook_attempts_earlier')).toBe(file);
    const [within, beyond] = [await log(14), await log(22)];
    expect(await logged()).toMatchObject({
      [within]: 'webhook_attempts_earlier',
      [beyond]: 'webhook_attempts_rest',
    });
  });

  it('is read, written and deleted by the release before after each step', async () => {
    const kept = [await log()];
    for (let step = BEFORE + 1; step <= PARTED; step += 1) {
      await migrate(step);
      kept.push(await log());
      const gone = await log();
      await older.query('DELETE FROM webhook_attempts WHERE delivery_id = $1', [gone]);
      expect(Object.keys(await logged())).toEqual(kept.toSorted());
    }
  });

  it('takes each attempt once still', async () => {
    const id = await log();
    await migrate(PARTED);
    const again = older.query('INSERT INTO webhook_attempts SELECT * FROM webhook_attempts');
    await expect(again).rejects.toThrow('webhook_attempts_earlier_pkey');
    expect(Object.keys(await logged())).toEqual([id]);
  });

  it.each([
    ['the bound', BEFORE, BEFORE + 1],
    ['the change to weeks', PARTED - 1, PARTED],
  ])('is used on while %s waits for somebody who reads it for long', async (_, from, to) => {
    await migrate(from);
    const ids = [await log()];
    const reader = await HeldLock.take(database.url, 'SELECT FROM webhook_attempts');
    const migrated = migrate(to);
    try {
      await reader.waiting('LOCK TABLE webhook_attempts');
      for (let turn = 0; turn < 10; turn += 1) ids.push(await log());
      expect(Object.keys(await logged())).toEqual(ids.toSorted());
    } finally {
      await reader.release();
      await migrated;
    }
    ids.push(await log());
    expect(Object.keys(await logged())).toEqual(ids.toSorted());
  });

  it('is as it was when the last step is ended in the middle, and the next boot goes on', async () => {
    await migrate(PARTED - 1);
    const id = await log();
    const reader = await HeldLock.take(database.url, 'SELECT FROM webhook_attempts');
    const failed = migrate(PARTED).catch((error: unknown) => error);
    try {
      const [{ pid }] = await reader.waiting('LOCK TABLE webhook_attempts');
      await older.query('SELECT pg_cancel_backend($1)', [pid]);
      expect(await failed).toBeInstanceOf(Error);
    } finally {
      await reader.release();
    }
    expect(await logged()).toEqual({ [id]: 'webhook_attempts' });
    await migrate(PARTED);
    expect(await logged()).toEqual({ [id]: 'webhook_attempts_earlier' });
  });
});

describe('a log without a row', () => {
  it('is parted from its first day on', async () => {
    await migrate(PARTED);
    const id = await log();
    expect(await logged()).toEqual({ [id]: 'webhook_attempts_rest' });
  });
});
