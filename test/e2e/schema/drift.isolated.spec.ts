// Isolated: begins with an empty database.

import { DataSource, type QueryRunner } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.js';
import { ALL_ENTITIES, SCHEMA } from '../../../src/schema.js';
import { dataSourceOptions, prepareDatabase } from '../../../src/platform/index.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/test-database.js';

let database: TestDatabase;
let dataSource: DataSource;

async function open(made: TestDatabase): Promise<void> {
  database = made;
  dataSource = await connect();
}

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

function connect(): Promise<DataSource> {
  return new DataSource(
    dataSourceOptions({
      url: database.url,
      poolSize: 4,
      entities: ALL_ENTITIES,
      migrations: MIGRATIONS,
    }),
  ).initialize();
}

/** Everything that a migration can create, as text, so that two schemas can be compared. */
async function schemaOf(source: DataSource): Promise<string[]> {
  const rows = await source.query<{ line: string }[]>(`
    SELECT format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable,
        column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1`);
  return rows.map(({ line }) => line);
}

interface Check {
  readonly table: string;
  readonly name: string;
  readonly condition: string;
}

async function checksInDatabase(source: DataSource | QueryRunner = dataSource): Promise<Check[]> {
  const sql = `
    SELECT conrelid::regclass::text AS "table", conname AS name,
      pg_get_expr(conbin, conrelid) AS condition
    FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`;
  return (await source.query(sql)) as Check[];
}

async function checksOfEntities(): Promise<Check[]> {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    for (const { tableName, checks } of dataSource.entityMetadatas) {
      for (const { name, expression } of checks) {
        await runner.query(`ALTER TABLE ${tableName} DROP CONSTRAINT ${name}`);
        await runner.query(`ALTER TABLE ${tableName} ADD CONSTRAINT ${name} CHECK (${expression})`);
      }
    }
    return await checksInDatabase(runner);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

describe('the migrations', () => {
  beforeEach(async () => open(await createTestDatabase()));

  it('leave nothing for the entities to change', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    // TypeORM would run these: fix the entity, or write a migration.
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('have each CHECK as its entity says it', async () => {
    // If a check lacks a value, such as the state of a new step, widen it with a migration.
    expect(await checksInDatabase()).toEqual(await checksOfEntities());
  });

  it('have an entity for every table, so that no table goes unwatched', async () => {
    const rows = await dataSource.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       ORDER BY 1`,
    );
    const known = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    const unwatched = rows.map(({ name }) => name).filter((name) => !known.includes(name));
    // The previous release still counts in two of them.
    expect(unwatched).toEqual(['hosted_limits', 'schema_migrations', 'sms_limits']);
  });

  it('can each be taken back and applied again, with the same schema in the end', async () => {
    const before = await schemaOf(dataSource);
    for (const _ of MIGRATIONS) await dataSource.undoLastMigration({ transaction: 'each' });
    const left = (await schemaOf(dataSource)).filter((line) => !line.includes('schema_migrations'));
    expect(left.filter((line) => !line.startsWith('CREATE OR REPLACE FUNCTION'))).toEqual([]);
    await prepareDatabase(dataSource, 'sandbox', SCHEMA);
    expect(await schemaOf(dataSource)).toEqual(before);
  });
});

describe('preparing a database', () => {
  const empty = async () => open(await createEmptyDatabase());

  it('gives production a clock that is the database server’s, which nothing can move', async () => {
    await empty();
    await prepareDatabase(dataSource, 'production', SCHEMA);
    expect(await dataSource.query('SELECT * FROM sandbox_clock')).toEqual([]);
    // A row for the sandbox's clock changes nothing here.
    await dataSource.query('INSERT INTO sandbox_clock (offset_ms) VALUES ($1)', [7 * 86_400_000]);
    const [row] = await dataSource.query<{ drift: number }[]>(
      'SELECT extract(epoch FROM app_now() - clock_timestamp())::float8 AS drift',
    );
    expect(Math.abs(row.drift)).toBeLessThan(0.1);
  });

  it('is refused to production on a database that a sandbox has used, which stays as it was', async () => {
    await open(await createTestDatabase());
    await dataSource.undoLastMigration({ transaction: 'each' });
    const before = await schemaOf(dataSource);
    await expect(prepareDatabase(dataSource, 'production', SCHEMA)).rejects.toThrow(
      'belongs to a sandbox',
    );
    expect(await schemaOf(dataSource)).toEqual(before);
  });
});
