// Isolated: has tables of its own.
import { DataSource, QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../../src/platform/database/data-source.js';
import { Database, type Tx } from '../../../src/platform/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

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

/** On one connection, and with a table that is read whole in no time. */
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

describe('a planned transaction', () => {
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

  it('takes no statement once it is over, when its connection may be another’s', async () => {
    await open();
    const late = await database.plannedTransaction<Tx>((tx) => Promise.resolve(tx));
    await expect(late.query(READ, [[2]])).rejects.toThrow(QueryRunnerAlreadyReleasedError);
    await expect(late.patientQuery(READ, [[2]], 1_000)).rejects.toThrow(
      QueryRunnerAlreadyReleasedError,
    );
  });

  it.each([
    [
      'looked up one by one',
      `SELECT s.label FROM unnest($1::integer[]) AS a (id)
       CROSS JOIN LATERAL (SELECT label FROM small WHERE id = a.id OFFSET 0) AS s`,
    ],
    [
      'given once more',
      `SELECT s.label FROM unnest($1::integer[]) AS a (id) JOIN small AS s ON s.id = a.id
       WHERE s.id = ANY ($1)`,
    ],
  ])(
    'reads by keys that are %s no more than these, by a plan from before the table grew',
    async (_, sql) => {
      await open();
      await database.query(`PREPARE looked_up AS ${sql}`);
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
      const rows = [...grown.matchAll(/ rows=(\d+)/g)].map(([, count]) => Number(count));
      expect(Math.max(...rows)).toBeLessThanOrEqual(2);
    },
  );

  it('leaves nothing of it to the next transaction of its connection', async () => {
    await open();
    await database.plannedTransaction((tx) => tx.query(READ, [[1]]));
    const settings = await database.query(
      `SELECT name FROM pg_settings WHERE setting <> reset_val
         AND (name LIKE 'enable%' OR name IN ('plan_cache_mode', 'jit'))`,
    );
    expect(settings).toEqual([]);
    await database.transaction((tx) => tx.query('SELECT label FROM small WHERE id = $1', [1]));
    expect(await kept()).toEqual([READ]);
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

  it('keeps nothing where statements cannot be kept', async () => {
    await open(false);
    expect(await database.plannedTransaction((tx) => tx.query(READ, [[1]]))).toEqual([
      { label: 'one' },
    ]);
    expect(await kept()).toEqual([]);
  });
});
