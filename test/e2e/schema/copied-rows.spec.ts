import { Column, Entity, PrimaryColumn } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Columns, CopiedRows, type Database } from '../../../src/platform/index.js';
import { type BareDatabase, createBareDatabase } from './bare-database.js';

@Entity('visits')
class Visit {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('smallint', { nullable: true })
  status: number | null;

  @Column('integer', { name: 'lasted_us', nullable: true })
  lastedUs: number | null;

  @Column('boolean', { name: 'is_known', nullable: true })
  isKnown: boolean | null;

  @Column('timestamptz', { nullable: true })
  at: Date | null;

  @Column('jsonb', { nullable: true })
  terms: unknown;
}

@Entity('amounts')
class Amount {
  @PrimaryColumn('bigint')
  paise: number;
}

const columns = new Columns(Visit);
const rows = new CopiedRows(columns, columns.properties);
const NOTHING = { name: null, status: null, lastedUs: null, isKnown: null, at: null, terms: null };
const HALF_A_PAIR = 'half a surrogate pair is not copied';
const uuid = (place: number) => `00000000-0000-7000-8000-${String(place).padStart(12, '0')}`;

const TABLE = `CREATE TABLE visits (id uuid PRIMARY KEY, name text, status smallint,
  lasted_us integer, is_known boolean, at timestamptz, terms jsonb)`;

let bare: BareDatabase;
let database: Database;

beforeAll(async () => {
  bare = await createBareDatabase(TABLE);
  ({ database } = bare);
});

afterAll(() => bare.drop());

async function copy(copied: readonly Partial<Visit>[]): Promise<void> {
  const undashed = copied.map(({ id, ...rest }) => ({ ...rest, id: id!.replaceAll('-', '') }));
  await database.copy(`COPY visits ${rows.from}`, rows.bytes(undashed));
}

async function stored(copied: readonly Partial<Visit>[]): Promise<Visit[]> {
  await database.query('DELETE FROM visits');
  await copy(copied);
  return database.query(`SELECT ${columns.selected()} FROM visits ORDER BY id`);
}

describe('rows that are copied', () => {
  it('come back as they were given', async () => {
    const given = [
      {
        id: uuid(1),
        name: 'plain',
        status: -32_768,
        lastedUs: 2_147_483_647,
        isKnown: true,
        at: new Date('2026-11-24T10:11:12.345Z'),
        terms: { a: [1, 'é'] },
      },
      { id: uuid(2), name: '', status: 0, lastedUs: -1, isKnown: false, at: null, terms: [] },
      { id: uuid(3), ...NOTHING, at: new Date('1969-07-20T20:17:40.001Z') },
      { id: uuid(4), ...NOTHING, name: 'tab\t, \\N, "quote", नाम 🙂, null' },
    ];
    expect(await stored(given)).toEqual(given);
  });

  it('may lack what is NULL, and be none', async () => {
    expect(await stored([{ id: uuid(1) }])).toEqual([{ id: uuid(1), ...NOTHING }]);
    expect(await stored([])).toEqual([]);
  });

  it('may be many and long', async () => {
    const given = Array.from({ length: 1_000 }, (_, place) => ({
      ...NOTHING,
      id: uuid(place),
      name: '₹'.repeat(place),
    }));
    expect(await stored(given)).toEqual(given);
  });

  it('are there all or none, and the next are copied', async () => {
    await stored([{ id: uuid(1) }]);
    await expect(copy([{ id: uuid(2) }, { id: uuid(1) }])).rejects.toMatchObject({ code: '23505' });
    expect(await database.query('SELECT id FROM visits')).toEqual([{ id: uuid(1) }]);
    await expect(database.copy('COPY nowhere FROM STDIN', Buffer.alloc(0))).rejects.toMatchObject({
      code: '42P01',
    });
    await copy([{ id: uuid(2) }]);
    expect(await database.query('SELECT count(*)::integer AS rows FROM visits')).toEqual([
      { rows: 2 },
    ]);
  });

  it.each<[string, Partial<Visit>, object]>([
    ['a NUL in a text', { name: 'a\0b' }, { code: '22021' }],
    ['a NUL in a document', { terms: ['a\0b'] }, { code: '22P05' }],
    ['half a surrogate pair in a text', { name: 'a\ud83d' }, { message: HALF_A_PAIR }],
    ['half a surrogate pair in a document', { terms: ['a\ud83d'] }, { code: '22P02' }],
    ['too large a small number', { status: 32_768 }, { code: 'ERR_OUT_OF_RANGE' }],
    ['too small a number', { lastedUs: -2_147_483_649 }, { code: 'ERR_OUT_OF_RANGE' }],
    ['a time before all others', { at: new Date(-8_640_000_000_000_000) }, { code: '22008' }],
  ])('are none when one has %s, and the next are copied', async (_what, wrong, error) => {
    await stored([{ id: uuid(1) }]);
    await expect(copy([{ id: uuid(2) }, { id: uuid(3), ...wrong }])).rejects.toMatchObject(error);
    await copy([{ id: uuid(4) }]);
    const ids = await database.query('SELECT id FROM visits ORDER BY id');
    expect(ids).toEqual([{ id: uuid(1) }, { id: uuid(4) }]);
  });

  it('are refused with a column of a type that is not known', () => {
    expect(() => new CopiedRows(new Columns(Amount), ['paise'])).toThrow('a bigint is not copied');
  });
});
