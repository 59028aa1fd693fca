// Isolated: tables are altered without a trace, and the whole database is verified.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type AuditFile,
  auditFileText,
  type AuditKey,
  checkAuditFile,
  readAuditFile,
} from '../../../src/audit/index.js';
import { AUDIT_TRAIL } from '../../../src/composition.js';
import { sha256 } from '../../../src/platform/index.js';
import { runAdmin, runAdminWith } from '../../support/admin-command.js';
import { inForm } from '../../support/long-form.js';
import type { TestJourney } from '../lender-api/callback-bench.js';
import { AuditBench } from './audit-bench.js';
import { ofFile } from '../../support/of-file.js';

const PERSONAL = 'Something about a person';
/** The number of changes at random places. */
const RUNS = inForm({ short: 60, long: 5_000 });

vi.setConfig({ hookTimeout: 120_000, testTimeout: 240_000 });

const bench = ofFile(() => AuditBench.open());
let journey: TestJourney;
let other: TestJourney;
let exported: string;
let whole: string;
let keys: AuditKey[];

const inFolder = (name: string) => join(bench.folder, name);

async function exportTo(name: string, ...parameters: string[]): Promise<string> {
  const out = inFolder(name);
  const { code, error } = await bench.admin('audit', 'export', '--out', out, ...parameters);
  expect([code, error]).toEqual([0, '']);
  return readFileSync(out, 'utf8');
}

beforeAll(async () => {
  [journey, other] = [await bench.journey(), await bench.journey()];
  await bench.signRoots();
  exported = await exportTo('journey.json', '--journey', journey.id);
  whole = await exportTo('whole.json', '--journey', journey.id, '--personal');
  const { out } = await bench.admin('audit', 'keys');
  writeFileSync(inFolder('keys'), out);
  ({ keys } = JSON.parse(out) as { keys: AuditKey[] });
});

const fileOf = (text: string) => JSON.parse(text) as AuditFile;

/** The faults that `audit verify FILE` finds with the public keys only. */
async function faultsOf(
  written: Buffer | string,
  given: { keys?: AuditKey[]; kept?: string[] } = {},
): Promise<string> {
  const file = readAuditFile(Buffer.from(written));
  if (!file) return 'It is no file of an audit.';
  const { sources } = AUDIT_TRAIL;
  return (await checkAuditFile(file, { keys, sources, ...given })).faults.join('\n');
}

/** The faults of the file after this change. */
async function saidOf(change: (file: Mutable<AuditFile>) => void): Promise<string> {
  const file = fileOf(exported);
  change(file);
  const faults = await faultsOf(auditFileText(file));
  expect(faults).not.toBe('');
  return faults;
}

type Mutable<Value> = Value extends object
  ? { -readonly [Name in keyof Value]: Mutable<Value[Name]> }
  : Value;

/** Expects that only these documents could not be decrypted during the export. */
async function expectUnreadable(file: AuditFile, ...expected: RegExp[]): Promise<void> {
  const isUnreadable = ({ content }: { content?: string }) => content === 'It cannot be decrypted.';
  const names = file.exhibits.filter(isUnreadable).map(({ name }) => name);
  expect(names.toSorted()).toEqual(expected.map((name) => expect.stringMatching(name)));
  const faults = await faultsOf(auditFileText(file));
  for (const name of names) {
    expect(faults).toContain(`The document ${name} could not be decrypted during the export.`);
  }
  expect(faults).not.toContain('that was signed');
  // The signature covers this text, so an attacker cannot remove it.
  const cleaned = structuredClone(file);
  for (const one of cleaned.exhibits.filter(isUnreadable)) one.content = undefined;
  expect(await faultsOf(auditFileText(cleaned))).not.toBe('');
}

describe('the file of a loan', () => {
  it('is checked with nothing but itself and the public keys', async () => {
    const nowhere = 'postgres://none@127.0.0.1:1/none';
    const verify = (file: string) =>
      runAdmin(nowhere, 'audit', 'verify', inFolder(file), '--key', inFolder('keys'));
    const { code, out, error } = await verify('journey.json');
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('OK: everything is as it was written and signed.');
    expect(out).toMatch(
      /Entries 1 to \d+ are under root 1 of \d{4}-\d\d-\d\d: [0-9a-f]{64}\.\nCompare this root/,
    );
    expect(out).toMatch(/Signed, but not included in the file: answer OFFERS .*LOAN_EVENT/);
    writeFileSync(inFolder('changed.json'), exported.replace('"INSERT', '"UPDATE'));
    expect(await verify('changed.json')).toMatchObject({
      code: 1,
      error: expect.stringContaining('was altered after it was written and signed') as string,
    });
    // Neither terminal escapes nor line breaks of the file are printed.
    const verdict = 'OK: everything is as it was written and signed.';
    const forged = fileOf(exported);
    forged.subjectId += `\n${verdict}\n\u001b[8m\u202e\u2028`;
    writeFileSync(inFolder('forged.json'), auditFileText(forged));
    const printed = await verify('forged.json');
    expect(printed.code).toBe(1);
    expect(printed.out.split('\n')).not.toContain(verdict);
    const text = `${printed.out}${printed.error}`.replaceAll('\n', '');
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it('has the statement and its PDFs, and personal data only when it is asked for', async () => {
    const contents = ({ exhibits }: AuditFile) =>
      new Map(exhibits.map(({ name, content }) => [name.replace(/ off_\w+/, ''), content]));
    const plain = contents(fileOf(exported));
    expect(plain.get('statement.json')).toContain('"templateVersion"');
    for (const language of ['en', 'hi']) {
      const pdf = Buffer.from(plain.get(`statement ${language}.pdf`) ?? '', 'base64');
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    }
    const everything = exported + [...plain.values()].join();
    for (const known of [PERSONAL, 'Asha Verma', '9876543210', 'ABCDE1234F']) {
      expect(everything).not.toContain(known);
    }
    // A withheld document's hash is salted, and equals the hash of the shown one.
    const withheld = fileOf(exported).exhibits.filter((one) => one.isPersonal);
    const shown = fileOf(whole).exhibits.filter((one) => one.isPersonal);
    expect(withheld.length).toBeGreaterThan(0);
    expect(withheld.map(({ sha256: hash }) => hash)).toEqual(shown.map((one) => one.sha256));
    for (const { content = '', sha256: hash } of shown) expect(hash).not.toBe(sha256(content));
    expect(exported).not.toContain('"salt"');
    expect([...contents(fileOf(whole)).values()].join()).toContain(PERSONAL);
    expect(await faultsOf(whole)).toBe('');
  });

  it('names the first entry that was changed, left out, put in, swapped, or cut off', async () => {
    const changed = await saidOf(({ entries }) => {
      entries[2].entry = entries[2].entry.replace('"INSERT"', '"UPDATE"');
    });
    expect(changed).toMatch(
      new RegExp(`${journey.id}, entry 3 \\(\\w+ \\w+\\): the entry differs`),
    );
    expect(await saidOf(({ entries }) => entries.splice(4, 1))).toContain(
      ', entry 5: the entry is missing',
    );
    const added = await saidOf(({ entries }) => entries.splice(1, 0, { ...entries[0] }));
    expect(added).toContain(', entry 2: the entry is missing');
    const swapped = await saidOf(({ entries }) => {
      [entries[5].entry, entries[6].entry] = [entries[6].entry, entries[5].entry];
    });
    expect(swapped).toContain(', entry 6 (');
    const cut = await saidOf(({ entries }) => entries.pop());
    const last = fileOf(exported).entries.length;
    expect(cut).toContain(`, entry ${last}: the end is missing: the file’s signature has`);
  });

  it('names a document that was changed or left out, and finds a story that was written again', async () => {
    for (const [index, { name, encoding }] of fileOf(exported).exhibits.entries()) {
      const content = Buffer.from('another').toString(encoding);
      const saidWith = (more: object) =>
        saidOf(({ exhibits }) => Object.assign(exhibits[index], { content, ...more }));
      expect(await saidWith({})).toContain(`The document ${name} was changed.`);
      if (index > 0) continue;
      expect(await saidWith({ sha256: sha256('another') })).toContain(
        `The document ${name} is not the one that was signed.`,
      );
      expect(await saidOf(({ exhibits }) => exhibits.splice(index, 1))).toContain(name);
    }
    expect(await saidOf(({ story }) => story.pop())).toContain('`story` is not the one');
  });

  it('is refused when it is signed by others, or under another root', async () => {
    const theirs = fileOf(await exportTo('theirs.json', '--journey', other.id));
    const attempts: [(file: Mutable<AuditFile>) => void, RegExp][] = [
      [(file) => (file.signature = theirs.signature), /The signature is of another subject\./],
      [
        ({ proof }) => (proof!.path[0] = '0'.repeat(64)),
        /entry \d+: it differs from the entry under the root of/,
      ],
      [
        ({ proof }) => (proof!.signedRoot = theirs.signature),
        /The root of the proof is not signed with any of the keys\./,
      ],
      [(file) => (file.proof = null), /The proof was removed from the file\./],
      [({ proof }) => (proof!.position -= 1), /The proof is not the one that was signed\./],
    ];
    for (const [change, said] of attempts) expect(await saidOf(change)).toMatch(said);
    expect(await faultsOf(exported, { keys: [] })).toContain(
      'The file is not signed with any of the keys.',
    );
  });

  it('is compared with kept roots, and keys prove nothing after they were retired', async () => {
    const { out } = await bench.admin('audit', 'roots', '--signed', '--newest');
    expect(await faultsOf(exported, { kept: [out] })).toBe('');
    expect(await faultsOf(exported, { kept: ['eyJ.another.one'] })).toMatch(
      /Root 1 of .* is not among the given roots\./,
    );
    const retired = (at: number) =>
      keys.map((key) => ({ ...key, retiredAt: new Date(at).toISOString() }));
    expect(await faultsOf(exported, { keys: retired(Date.now()) })).toBe('');
    const before = retired(Date.now() - 60 * 60_000);
    const faults = await faultsOf(exported, { keys: before });
    expect(faults).toContain('The key that signed the file was already retired.');
    expect(faults).toContain('The key that signed the root of the proof was already retired.');
    writeFileSync(inFolder('retired'), JSON.stringify({ keys: before }));
    const database = await bench.admin('audit', 'verify', '--key', inFolder('retired'));
    expect(database.out).toContain('its key was already retired');
  });

  it('is made without what was changed, exchanged or deleted, and its check names it', async () => {
    const kept = {
      lender_messages: { column: 'body_sealed', name: /^LOAN_EVENT message-.+\.json$/ },
      lender_inbox: { column: 'answer_sealed', name: /^answer \w+ .+ of .+\.json$/ },
      key_facts_pdfs: { column: 'pdf_sealed', name: /^statement off_\w+ (en|hi)\.pdf$/ },
      // Without its statement, a PDF is not exported.
      key_facts_statements: { column: 'content_sealed', name: /^statement off_\w+\.json$/ },
    };
    type Kept = keyof typeof kept;
    const firstOf = (table: Kept, { id }: TestJourney) => `(
      SELECT ctid FROM ${table} AS r
      WHERE ${kept[table].column} IS NOT NULL AND '${id}' IN (
        SELECT journey_id FROM key_facts_statements AS s WHERE s.content_hash = to_jsonb(r) ->> 'content_hash'
        UNION ALL SELECT to_jsonb(r) ->> 'subject_id')
      ORDER BY ctid LIMIT 1)`;
    const set = (table: Kept, value: string) =>
      `UPDATE ${table} SET ${kept[table].column} = ${value} WHERE ctid = ${firstOf(table, journey)}`;
    const changed = (table: Kept) =>
      set(table, `overlay(${kept[table].column} PLACING 'AAAA' FROM 41)`);
    // Another loan's value can also be decrypted.
    const exchanged = (table: Kept) =>
      set(
        table,
        `(SELECT ${kept[table].column} FROM ${table} WHERE ctid = ${firstOf(table, other)})`,
      );
    const deleted = (table: Kept) => `DELETE FROM ${table} WHERE ctid = ${firstOf(table, journey)}`;
    const exportWhole = () => exportTo('unreadable.json', '--journey', journey.id, '--personal');
    for (const harm of [
      { lender_messages: changed, lender_inbox: changed, key_facts_pdfs: changed },
      { key_facts_statements: changed },
      { lender_messages: deleted, lender_inbox: exchanged },
      { lender_messages: exchanged, lender_inbox: deleted },
    ]) {
      const harms = Object.entries(harm) as [Kept, typeof changed][];
      const changes = harms.map(([table, sqlOf]) => [sqlOf(table)] as const);
      const file = fileOf(await bench.whileChanged(changes, exportWhole));
      await expectUnreadable(file, ...harms.map(([table]) => kept[table].name));
    }
    expect(await faultsOf(await exportWhole())).toBe('');
  });

  it('is not made of what could not be read for another reason', async () => {
    await bench.query('ALTER TABLE lender_messages RENAME TO lender_messages_away');
    const out = inFolder('none');
    const { code } = await bench.admin('audit', 'export', '--journey', journey.id, '--out', out);
    await bench.query('ALTER TABLE lender_messages_away RENAME TO lender_messages');
    expect(code).toBe(1);
  });

  it('refuses what is no loan, no file and no keys', async () => {
    const unknown = `jrn_${'0'.repeat(32)}`;
    const out = ['--out', inFolder('none')];
    for (const [parameters, said] of [
      [['export'], 'Give either'],
      [['export', '--journey', unknown, ...out], `There is no audit trail of ${unknown}`],
      [
        ['verify', inFolder('keys'), '--key', inFolder('keys')],
        'is not a file that `audit export` wrote, or it was edited.',
      ],
      [['verify', inFolder('nowhere'), '--key', inFolder('keys')], 'cannot be read'],
      [['verify', inFolder('journey.json')], 'Give the public keys'],
      [['verify', inFolder('journey.json'), '--key', inFolder('journey.json')], 'is not a JWKS'],
      [['verify', '--journey', unknown], `There is no audit chain of ${unknown}.`],
    ] as const) {
      const { code, error } = await bench.admin('audit', ...parameters);
      expect([code, error]).toEqual([1, expect.stringContaining(said)]);
    }
    // A command about an unknown loan is in the operator's chain.
    const asked = `SELECT DISTINCT subject_id FROM operator_commands WHERE parameters ->> 'journey' = $1`;
    expect(await bench.query(asked, [unknown])).toEqual([{ subject_id: 'operator' }]);
  });
});

describe('a file of `audit export` never passes', () => {
  it('when one of its bytes is another, is gone, or came in', async () => {
    const bytes = Buffer.from(exported);
    const property = fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.nat(2),
      fc.nat(255),
      async (at, kind, byte) => {
        const put = Buffer.from(kind === 0 ? [] : [byte]);
        const after = bytes.subarray(kind === 1 ? at + 1 : at + Number(kind === 0));
        const changed = Buffer.concat([bytes.subarray(0, at), put, after]);
        fc.pre(!changed.equals(bytes));
        expect(await faultsOf(changed)).not.toBe('');
      },
    );
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  });

  it.each([
    ['without line breaks', (text: string) => JSON.stringify(JSON.parse(text))],
    ['with one more line break', (text: string) => `${text}\n`],
    ['with a byte order mark', (text: string) => `\u{feff}${text}`],
    ['with line breaks of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['with a number written otherwise', (text: string) => text.replace(': 1,', ': 1.0,')],
    ['with a letter written otherwise', (text: string) => text.replace('rinpath', '\\u0072inpath')],
    ['with another story on top', (text: string) => text.replace('{', '{\n  "story": [],')],
    ['with a prototype on top', (text: string) => text.replace('{', '{\n  "__proto__": {},')],
  ])('%s', async (_, change) => {
    expect(change(exported)).not.toBe(exported);
    expect(await faultsOf(change(exported))).not.toBe('');
  });
});

describe('the audit of the operator', () => {
  it('has what was asked for, by whom, and nothing personal', async () => {
    const last = async () => {
      const [row] = await bench.query(
        'SELECT subject_id, command, parameters, given_by FROM operator_commands ORDER BY id DESC LIMIT 1',
      );
      return row;
    };
    await bench.admin('applicants', 'erase', '--mobile', '9812345678');
    expect(await last()).toEqual({
      subject_id: 'operator',
      command: 'applicants erase',
      parameters: { mobile: '(given)' },
      given_by: expect.stringMatching(/./),
    });
    const note = 'Restored the backup of yesterday';
    const operator = { OPERATOR: ' operator 7 ' };
    expect(await runAdminWith(operator, bench.databaseUrl, 'audit', 'note', note)).toMatchObject({
      code: 0,
      out: 'OK: recorded.',
    });
    expect(await last()).toMatchObject({
      command: 'audit note',
      parameters: { arguments: [note] },
      given_by: 'operator 7',
    });
    const before = await last();
    const personal = await bench.admin('audit', 'note', 'Called 9876543210 after the restore');
    expect([personal.code, personal.error]).toEqual([2, expect.stringContaining('personal data')]);
    expect(await last()).toEqual(before);
  });

  it('prints its signed roots, and is held against keys and roots from elsewhere', async () => {
    const roots = (...more: string[]) => bench.admin('audit', 'roots', ...more);
    expect((await roots()).out).toMatch(
      /1 +\d{4}-\d\d-\d\d +\d+ +\d{4}-\d\d-\d\dT[\d:]{8} +[0-9a-f]{64}/,
    );
    const { out: kept } = await roots('--signed');
    expect(kept).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+$/m);
    const verify = (...more: string[]) => bench.admin('audit', 'verify', ...more);
    const bare = await verify();
    expect(bare.code).toBe(0);
    expect(bare.out).toContain('Warning: the keys came from the checked database.');
    expect(bare.out).toContain('Warning: without roots stored elsewhere,');
    writeFileSync(inFolder('roots'), kept);
    const given = ['--key', inFolder('keys'), '--roots', inFolder('roots')];
    const held = await verify(...given);
    expect([held.code, held.out]).toEqual([0, expect.not.stringMatching(/--key|--roots/)]);
    writeFileSync(inFolder('roots'), `${kept}\neyJ.another.one\n`);
    const gone = await verify(...given, '--journey', journey.id);
    expect([gone.code, gone.out]).toEqual([
      1,
      expect.stringContaining('given root 2: the database lacks it, or has another version of it.'),
    ]);
    writeFileSync(inFolder('no-keys'), '{"keys":[]}');
    const { code, out } = await verify('--key', inFolder('no-keys'));
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('it is not signed with any of the keys'),
    ]);
  });
});
