// Isolated: begins with an empty database.
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  dataSourceOptions,
  missingMigrations,
  prepareDatabase,
} from '../../../src/platform/index.js';
import { SCHEMA } from '../../../src/schema.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

type Functions = typeof SCHEMA.functions;

let database: TestDatabase;
let dataSource: DataSource;

beforeEach(async () => {
  database = await createEmptyDatabase();
  const options = { ...SCHEMA, url: database.url, poolSize: 4 };
  dataSource = await new DataSource(dataSourceOptions(options)).initialize();
});

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** A function of a release, which answers `answer`. */
function release(answer: string): Functions {
  const text = `CREATE OR REPLACE FUNCTION told() RETURNS text LANGUAGE sql AS $$ SELECT '${answer}' $$`;
  return [...SCHEMA.functions, { name: 'told', text }];
}

function boot(functions: Functions = SCHEMA.functions): Promise<void> {
  return prepareDatabase(dataSource, 'production', { ...SCHEMA, functions });
}

function missing(functions: Functions = SCHEMA.functions): Promise<string[]> {
  return missingMigrations(dataSource, 'production', functions);
}

async function told(): Promise<string> {
  const [row] = await dataSource.query<{ told: string }[]>('SELECT told()');
  return row.told;
}

/** Each function that is ours: its name, its text as the server has it, and which transaction wrote it. */
function installed(): Promise<{ name: string; body: string; writer: string }[]> {
  return dataSource.query(
    `SELECT proname AS name, prosrc AS body, xmin::text AS writer FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace ORDER BY proname`,
  );
}

describe('the functions that live in the database', () => {
  it('all have a file, whose text is what the database runs', async () => {
    await boot();
    const functions = await installed();
    expect(functions.map(({ name }) => name)).toEqual(
      SCHEMA.functions.map(({ name }) => name).toSorted(),
    );
    for (const { name, body } of functions) {
      const file = SCHEMA.functions.find((one) => one.name === name);
      expect(file?.text).toContain(`CREATE OR REPLACE FUNCTION ${name}(`);
      expect(file?.text).toContain(body);
    }
  });

  it('are left alone at a boot when their texts are the same', async () => {
    await boot();
    const before = await installed();
    await boot();
    expect(await installed()).toEqual(before);
  });

  it('are installed when a text is new or has changed, and only that one', async () => {
    await boot();
    const before = await installed();
    await boot(release('one'));
    expect(await told()).toBe('one');
    await boot(release('two'));
    expect(await told()).toBe('two');
    expect((await installed()).filter(({ name }) => name !== 'told')).toEqual(before);
  });

  it('stay as a newer release has them when an older one starts again beside it', async () => {
    await boot(release('older'));
    await boot(release('newer'));
    await boot(release('older'));
    expect(await told()).toBe('newer');
    expect(await missing(release('older'))).toEqual([]);
  });

  it('are missed by name when their text is not installed', async () => {
    expect(await missing()).toEqual(expect.arrayContaining(['admit_requests', 'app_now']));
    await boot();
    expect(await missing()).toEqual([]);
    expect(await missing(release('one'))).toEqual(['told']);
  });

  it('are installed together or not at all: one that the server refuses ends the boot', async () => {
    const broken = { name: 'broken', text: 'CREATE OR REPLACE FUNCTION broken() RETURNS nothing' };
    await expect(boot([...release('one'), broken])).rejects.toThrow('no language specified');
    expect(await missing(release('one'))).toContain('told');
    await boot(release('one'));
    expect(await told()).toBe('one');
  });

  it('are installed again after the migrations were taken back and run again', async () => {
    await boot();
    const before = (await installed()).map(({ name, body }) => ({ name, body }));
    for (const _ of dataSource.migrations) {
      await dataSource.undoLastMigration({ transaction: 'each' });
    }
    await boot();
    expect((await installed()).map(({ name, body }) => ({ name, body }))).toEqual(before);
  });
});
