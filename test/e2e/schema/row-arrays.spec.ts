import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Columns, Database, dataSourceOptions, RowArrays } from '../../../src/platform/index.js';
import { sharedService } from '../../support/shared-service.js';

@Entity('branches')
class Branch {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'seen_as', nullable: true })
  seenAs: string | null;

  @Column('bigint', { nullable: true })
  cents: number | null;

  @Column('boolean', { name: 'is_open', nullable: true })
  isOpen: boolean | null;

  @Column('timestamptz', { name: 'opened_at', nullable: true })
  openedAt: Date | null;

  @Column('jsonb', { nullable: true })
  terms: unknown;

  @Column('text', { array: true, nullable: true })
  steps: string[] | null;
}

const columns = new Columns(Branch);
const EMPTY = { seenAs: null, cents: null, isOpen: null, openedAt: null, terms: null, steps: null };

// Only its own connection sees it.
const TABLE = `CREATE TEMPORARY TABLE branches (id text PRIMARY KEY, seen_as text, cents bigint,
  is_open boolean, opened_at timestamptz, terms jsonb, steps text[])`;

let dataSource: DataSource;
let database: Database;

beforeAll(async () => {
  const { databaseUrl: url } = await sharedService();
  const options = dataSourceOptions({ url, poolSize: 1, entities: [], migrations: [] });
  dataSource = await new DataSource(options).initialize();
  database = new Database(dataSource);
  await database.query(TABLE);
});

afterAll(async () => {
  await database.onApplicationShutdown();
  await dataSource.destroy();
});

async function stored(rows: readonly Partial<Branch>[]): Promise<Branch[]> {
  const all = new RowArrays(columns, columns.properties);
  await database.query('DELETE FROM branches');
  await database.transaction((tx) =>
    tx.execute(`INSERT INTO branches (${all.list}) ${all.select}`, all.values(rows)),
  );
  return database.query(`SELECT ${columns.selected()} FROM branches ORDER BY id`);
}

describe('rows as arrays of texts', () => {
  it('are stored as they are, whatever the types and texts of their columns', async () => {
    const rows = [
      {
        id: '1',
        seenAs: `a "quoted", {braced} \\ NULL\nशाखा 🏦`,
        cents: 9_007_199_254_740_991,
        isOpen: false,
        openedAt: new Date('2026-03-01T05:06:07.089Z'),
        terms: { text: `it's "so" \\ {}`, list: [1, null, { two: 2.5 }] },
        steps: ['KYC', `a "b" \\ c`, '', 'NULL', 'a,b{}'],
      },
      { id: '2', seenAs: '', cents: 0, isOpen: true, openedAt: null, terms: [], steps: [] },
      { id: '3', ...EMPTY },
    ];
    expect(await stored(rows)).toEqual(rows);
  });
});
