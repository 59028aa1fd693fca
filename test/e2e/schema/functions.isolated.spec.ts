// Isolated: has its own schemas and tables.
import { DataSource, type MigrationInterface, QueryFailedError, type QueryRunner } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.js';
import { lockBriefly } from '../../../migrations/lock-briefly.js';
import {
  Database,
  dataSourceOptions,
  missingMigrations,
  type Mode,
  prepareDatabase,
} from '../../../src/platform/index.js';
import { SCHEMA } from '../../../src/schema.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/test-database.js';

describe('the functions that live in the database', () => {
  type Functions = typeof SCHEMA.functions;

  let database: TestDatabase;
  let dataSource: DataSource;

  async function open(made: TestDatabase): Promise<void> {
    database = made;
    const options = { ...SCHEMA, url: database.url, poolSize: 4 };
    dataSource = await new DataSource(dataSourceOptions(options)).initialize();
  }

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  function release(answer: string): Functions {
    const text = `CREATE OR REPLACE FUNCTION installed_release() RETURNS text LANGUAGE sql AS $$ SELECT '${answer}' $$`;
    return [...SCHEMA.functions, { name: 'installed_release', text }];
  }

  function boot(functions: Functions = SCHEMA.functions, mode: Mode = 'sandbox'): Promise<void> {
    return prepareDatabase(dataSource, mode, { ...SCHEMA, functions });
  }

  function missing(
    functions: Functions = SCHEMA.functions,
    mode: Mode = 'sandbox',
  ): Promise<string[]> {
    return missingMigrations(dataSource, mode, functions);
  }

  async function installedRelease(): Promise<string> {
    const [row] = await dataSource.query<{ installed_release: string }[]>(
      'SELECT installed_release()',
    );
    return row.installed_release;
  }

  function installed(): Promise<{ name: string; body: string; writer: string }[]> {
    return dataSource.query(
      `SELECT proname AS name, prosrc AS body, xmin::text AS writer FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace ORDER BY proname`,
    );
  }

  it('all have a file, whose text is what the database runs; they are missed by name before, and left alone afterwards', async () => {
    await open(await createEmptyDatabase());
    expect(await missing(undefined, 'production')).toEqual(
      expect.arrayContaining(['admit_requests', 'app_now']),
    );
    await boot(undefined, 'production');
    expect(await missing(undefined, 'production')).toEqual([]);
    expect(await missing(release('one'), 'production')).toEqual(['installed_release']);
    const functions = await installed();
    expect(functions.map(({ name }) => name)).toEqual(
      SCHEMA.functions.map(({ name }) => name).toSorted(),
    );
    for (const { name, body } of functions) {
      const file = SCHEMA.functions.find((one) => one.name === name);
      expect(file?.text).toContain(`CREATE OR REPLACE FUNCTION ${name}(`);
      expect(file?.text).toContain(body);
    }
    await boot(undefined, 'production');
    expect(await installed()).toEqual(functions);
  });

  it('are installed at a boot when a text is new or has changed, and only that one', async () => {
    await open(await createTestDatabase());
    // A sandbox writes its own clock at each boot.
    const others = async () =>
      (await installed()).filter(({ name }) => !['installed_release', 'app_now'].includes(name));
    const before = await others();
    await boot(release('one'));
    expect(await installedRelease()).toBe('one');
    await boot(release('two'));
    expect(await installedRelease()).toBe('two');
    expect(await others()).toEqual(before);
  });
});

describe('a migration and a lock', () => {
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
      // No statement waits for the table meanwhile: it would block every other call.
      const other = await HeldLock.take(database.url, 'SELECT 1 FROM (SELECT 1) AS one');
      await other.query('SELECT count(*) FROM journeys');
      await other.release();
      if (pauses === 2) await lock.release();
    }, lines);
    expect(lines).toEqual([
      'A migration waited too long for a lock. Attempt 2 of 10 starts in 3 s',
      'A migration waited too long for a lock. Attempt 3 of 10 starts in 3 s',
      expect.stringMatching(/^Migration AddsColumn1999999999999 ran in \d+\.\d s$/),
    ]);
  });
});

describe('a planned transaction', () => {
  const KEPT = 'SELECT statement FROM pg_prepared_statements';
  const READ = 'SELECT label FROM small WHERE id = ANY ($1)';
  let testDatabase: TestDatabase;
  let dataSource: DataSource;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
  });

  afterAll(() => testDatabase.drop());

  afterEach(async () => {
    await database.onApplicationShutdown();
    await dataSource.destroy();
  });

  async function open(keepsStatements = true): Promise<void> {
    const { url } = testDatabase;
    dataSource = await new DataSource(
      dataSourceOptions({ url, poolSize: 1, keepsStatements, entities: [], migrations: [] }),
    ).initialize();
    database = new Database(dataSource);
    await database.query('DROP TABLE IF EXISTS small');
    await database.query('CREATE TABLE small (id integer PRIMARY KEY, label text)');
    await database.query(`INSERT INTO small VALUES (1, 'one'), (2, 'two')`);
    await database.query('ANALYZE small');
  }

  async function kept(): Promise<string[]> {
    const rows = await database.query<{ statement: string }>(KEPT);
    return rows.map(({ statement }) => statement);
  }

  it('has its connection keep each statement, and answers as another one does', async () => {
    await open();
    for (let times = 0; times < 3; times += 1) {
      const answers = await database.plannedTransaction(async (tx) => [
        await tx.query(READ, [[2]]),
        await tx.execute('UPDATE small SET label = label WHERE id > $1', [0]),
      ]);
      expect(answers).toEqual([[{ label: 'two' }], 2]);
    }
    expect(await kept()).toEqual([READ, 'UPDATE small SET label = label WHERE id > $1']);
  });

  it('reads by keys no more than these, by a plan from before the table grew', async () => {
    await open();
    await database.query(`PREPARE looked_up AS
      SELECT s.label FROM unnest($1::integer[]) AS a (id) JOIN small AS s ON s.id = a.id
      WHERE s.id = ANY ($1)`);
    const plan = async () => {
      const lines = await database.plannedTransaction((tx) =>
        tx.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE looked_up ('{1,2}')`,
        ),
      );
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    };
    await plan();
    await database.query(`INSERT INTO small SELECT n, 'more' FROM generate_series(3, 5000) AS n`);
    const grown = await plan();
    expect(grown).toMatch(/Index Cond: \(id = (a\.id|ANY \(\$1\))\)/);
    expect(grown).not.toMatch(/Seq Scan|Materialize|Hash|Removed by Filter/);
  });

  it('is undone whole when a statement fails, with the error that another one has', async () => {
    await open();
    const failing = database.plannedTransaction(async (tx) => {
      await tx.execute('INSERT INTO small VALUES ($1, $2)', [3, 'three']);
      await tx.execute('INSERT INTO small VALUES ($1, $2)', [1, 'again']);
    });
    const error = await failing.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(error).toMatchObject({ code: '23505', constraint: 'small_pkey' });
    expect(await database.query(READ, [[3]])).toEqual([]);
  });
});
