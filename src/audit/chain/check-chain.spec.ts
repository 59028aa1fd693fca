import { describe, expect, it } from 'vitest';
import type { AuditEvent, AuditSource, RecordedRow } from '../audit-source.js';
import { chainBeginning, type ChainEntry, nextHash } from '../audit-chain.js';
import { checkChain, checkRows, type SignedHead } from './check-chain.js';

const NOTES: AuditSource = {
  table: 'notes',
  key: 'id',
  keyType: 'bigint',
  subject: 'loan',
  at: 'at',
  sealed: ['words'],
  leftOut: [],
  filledIn: ['read_at'],
  isErasure: ({ kind }) => kind === 'ERASED',
  removedAfterDays: ({ kind }) => (kind === 'BRIEF' ? 10 : undefined),
  tell: () => '',
};
const byTable = new Map([[NOTES.table, NOTES]]);
const now = new Date('2026-11-23T00:00:00Z');
const sources = { byTable, now };

type Said = readonly [event: AuditEvent, row: RecordedRow];

const note = (id: number, more: RecordedRow = {}): RecordedRow => ({
  id,
  loan: 'jrn_1',
  kind: 'NOTE',
  at: '2026-11-20T00:00:00+00:00',
  words: 'sha256:1',
  read_at: null,
  ...more,
});

/** A chain with valid hashes and any content. */
function chainOf(...said: readonly Said[]): ChainEntry[] {
  return chainAt('2026-11-20T00:00:00+00:00', ...said);
}

/** @param times of the entries; the last time applies to all further entries */
function chainAt(times: string | readonly string[], ...said: readonly Said[]): ChainEntry[] {
  let hash = chainBeginning('jrn_1');
  return said.map(([event, row], index) => {
    const at = typeof times === 'string' ? times : (times[index] ?? times.at(-1));
    const entry = JSON.stringify({ at, event, source: 'notes', row });
    hash = nextHash(hash, entry);
    return { position: index + 1, entry, hash: hash.toString('hex') };
  });
}

function check(entries: readonly ChainEntry[], heads: readonly SignedHead[] = []) {
  return checkChain({ subjectId: 'jrn_1', entries, heads }, sources);
}

const sound = { latest: expect.any(Map), unknown: 0 };

describe('a chain whose hashes are right', () => {
  it('is sound while only what may change has changed', () => {
    const read = { read_at: 'today' };
    const entries = chainOf(
      ['INSERT', note(1)],
      ['INSERT', note(2, { kind: 'ERASED', words: null })],
      ['UPDATE', note(1, read)],
      ['UPDATE', note(1, { ...read, words: null, column_of_a_later_release: 1 })],
    );
    expect(check(entries)).toEqual(sound);
  });

  const changed: readonly Said[] = [
    ['INSERT', note(1)],
    ['UPDATE', note(1, { read_at: 'today' })],
  ];

  it.each<[what: string, said: readonly Said[]]>([
    ['the row belongs to another subject', [['INSERT', note(1, { loan: 'jrn_2' })]]],
    [
      'kind changed, which is not allowed',
      [...changed, ['UPDATE', note(1, { read_at: 'today', kind: 'X' })]],
    ],
    [
      'words changed, which is not allowed',
      [...changed, ['UPDATE', note(1, { read_at: 'today', words: '2' })]],
    ],
    ['read_at changed, which is not allowed', [...changed, ['UPDATE', note(1, { read_at: 'x' })]]],
    ['the row was written twice', [...changed, ['INSERT', note(1)]]],
    [
      'sealed values are gone, and no erasure is recorded',
      [...changed, ['UPDATE', note(1, { read_at: 'today', words: null })]],
    ],
    [
      'it was changed, but no entry says that it was written',
      [
        ['INSERT', note(2)],
        ['UPDATE', note(1)],
      ],
    ],
  ])('%s', (what, said) => {
    const position = said.length;
    expect(check(chainOf(...said))).toEqual({ subjectId: 'jrn_1', position, row: 'notes 1', what });
  });

  it.each<[string, object, string]>([
    ['an object', { id: { toString: 1 } }, 'the row has no id'],
    ['nothing', { id: null }, 'the row has no id'],
    [
      'what nests deeper than code can read',
      JSON.parse(`{"words":${'['.repeat(1_000)}${']'.repeat(1_000)}}`) as object,
      'the entry cannot be read',
    ],
  ])('has a fault, and nothing is thrown, where a row has %s in it', (_, more, what) => {
    const [entry] = chainOf(['INSERT', { ...note(1), ...more }]);
    expect(check([entry])).toMatchObject({ position: 1, row: null, what });
  });

  it('counts what is of a table that this release does not know, and checks its order', () => {
    const [first] = chainOf(['INSERT', note(1)]);
    const entry = '{"at":"2026-11-20T00:00:00+00:00","event":"INSERT","source":"later","row":{}}';
    const hash = nextHash(Buffer.from(first.hash, 'hex'), entry).toString('hex');
    const later = { position: 2, entry, hash };
    expect(check([first, later])).toEqual({ ...sound, unknown: 1 });
    expect(check([{ ...later, position: 1 }])).toMatchObject({ position: 1 });
    const head = { position: 2, hash: first.hash, where: 'the root of a day' };
    expect(check([first, later], [head])).toMatchObject({ position: 2 });
  });

  it('is refused when it says nothing', () => {
    for (const entry of [
      'null',
      '{}',
      'no JSON',
      '{"at":"","event":"INSERT","source":"notes","row":{}}',
      '{"at":"","event":"DELETE","source":"notes","row":{"id":1,"loan":"jrn_1"}}',
    ]) {
      const hash = nextHash(chainBeginning('jrn_1'), entry).toString('hex');
      expect(check([{ position: 1, entry, hash }])).toMatchObject({
        position: 1,
        what: 'the entry cannot be read',
      });
    }
  });

  it('is refused when it began as another subject’s', () => {
    const [entry] = chainOf(['INSERT', note(1)]);
    const other = checkChain({ subjectId: 'jrn_2', entries: [entry], heads: [] }, sources);
    expect(other).toMatchObject({
      position: 1,
      what: expect.stringContaining('differs from the one that was hashed'),
    });
  });

  it('says when its entries were written, none of them long before the one before it', () => {
    const said: Said[] = [
      ['INSERT', note(1)],
      ['INSERT', note(2)],
    ];
    const first = '2026-11-20T10:00:00+00:00';
    expect(check(chainAt([first, '2026-11-20T09:50:00+00:00'], ...said))).toEqual(sound);
    expect(check(chainAt([first, '2026-11-20T09:49:59+00:00'], ...said))).toMatchObject({
      position: 2,
      what: 'its time is before the time of the previous entry',
    });
  });

  it('has no entry that is older than the roots that do not have it', () => {
    const entries = chainOf(['INSERT', note(1)], ['INSERT', note(2)]);
    const written = Date.parse('2026-11-20T00:00:00Z');
    const { hash } = entries[0];
    const checked = (ofFirst: number, ofSecond: number) => {
      const heads = [{ position: 1, hash, where: 'the root', notBefore: ofFirst }];
      return checkChain({ subjectId: 'jrn_1', entries, heads, notBefore: ofSecond }, sources);
    };
    expect(checked(written, written)).toEqual(sound);
    expect(checked(written + 1, written)).toMatchObject({
      position: 1,
      what: expect.stringContaining('its time is before a root that does not contain it'),
    });
    expect(checked(written, written + 1)).toMatchObject({
      position: 2,
      what: 'no root contains it, although later roots exist',
    });
  });

  it('leads to what was signed, and is as long', () => {
    const entries = chainOf(['INSERT', note(1)], ['INSERT', note(2)]);
    const head = (position: number, hash = entries[position - 1]?.hash ?? ''): SignedHead => ({
      position,
      hash,
      where: 'the root',
    });
    expect(check(entries, [head(1), head(2)])).toEqual(sound);
    expect(check(entries, [head(1, 'ff')])).toMatchObject({ position: 1 });
    expect(check(entries, [head(3)])).toMatchObject({
      position: 3,
      what: 'the end is missing: the root has 3 entries',
    });
  });
});

describe('the rows of a sound chain', () => {
  const rows = (said: readonly Said[], present: readonly RecordedRow[]) => {
    const checked = check(chainOf(...said));
    if (!('latest' in checked)) throw new Error(checked.what);
    const texts = present.map((row): [string, string] => [String(row['id']), JSON.stringify(row)]);
    return checkRows('jrn_1', checked.latest, new Map([['notes', new Map(texts)]]), sources);
  };

  it('are as their last entries say; a column of a later release does not count', () => {
    const said: Said[] = [
      ['INSERT', note(1)],
      ['UPDATE', note(1, { read_at: 'today' })],
    ];
    expect(rows(said, [note(1, { read_at: 'today', later: 1 })])).toBeNull();
    expect(rows(said, [note(1)])).toMatchObject({
      position: 2,
      what: 'read_at changed since it was written',
    });
  });

  it('are all there, but for those whose time is over', () => {
    expect(rows([['INSERT', note(1)]], [])).toMatchObject({ position: 1, row: 'notes 1' });
    const brief = note(1, { kind: 'BRIEF', at: '2026-11-13T00:00:00.000001+00:00' });
    expect(rows([['INSERT', brief]], [])).toMatchObject({ position: 1 });
    // Joined on the 20th, whatever the row's own time is.
    const older = { ...brief, at: '2026-11-12T23:59:59.9+00:00' };
    expect(rows([['INSERT', older]], [])).toBeNull();
    const changed: Said[] = [
      ['INSERT', older],
      ['UPDATE', { ...older, read_at: 'today' }],
    ];
    expect(rows(changed, [])).toBeNull();
  });
});
