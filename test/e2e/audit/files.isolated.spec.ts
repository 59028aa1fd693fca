// Isolated: tables are altered without a trace, and the whole database is verified.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type AuditFile,
  auditFileText,
  type AuditKey,
  checkAuditFile,
  readAuditFile,
} from '../../../src/audit/index.js';
import { AUDIT_TRAIL } from '../../../src/composition.js';
import { runAdmin, runAdminWith } from '../../support/admin-command.js';
import { sha256 } from '../../../src/platform/index.js';
import type { TestJourney } from '../lender-api/callback-bench.js';
import { AuditBench } from './audit-bench.js';

const PERSONAL = 'Something about a person';

// Several loans are paid out first.
vi.setConfig({ hookTimeout: 120_000 });

let bench: AuditBench;
let folder: string;
let journey: TestJourney;
let other: TestJourney;
let instant: { readonly applicationId: string; readonly journeyId: string };
let exported: string;
let keys: AuditKey[];

const inFolder = (name: string) => join(folder, name);

async function exportTo(name: string, ...parameters: string[]): Promise<string> {
  const out = inFolder(name);
  const { code, error } = await bench.admin('audit', 'export', '--out', out, ...parameters);
  expect([code, error]).toEqual([0, '']);
  return readFileSync(out, 'utf8');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-audit-'));
  bench = await AuditBench.open();
  journey = await bench.journey();
  await bench.signRoots();
  exported = await exportTo('journey.json', '--journey', journey.id);
  const { out } = await bench.admin('audit', 'keys');
  writeFileSync(inFolder('keys'), out);
  ({ keys } = JSON.parse(out) as { keys: AuditKey[] });
  other = await bench.journey();
  instant = await bench.instantLoan();
});

afterAll(async () => {
  await bench?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What `audit verify FILE` finds, by the public keys only. */
async function faultsOf(
  written: string,
  given: { keys?: AuditKey[]; kept?: string[] } = {},
): Promise<string> {
  const file = readAuditFile(Buffer.from(written))!;
  const { sources } = AUDIT_TRAIL;
  return (await checkAuditFile(file, { keys, sources, ...given })).faults.join('\n');
}

/** What is found in the file when this is changed in it. */
async function saidOf(change: (file: Mutable<AuditFile>) => void): Promise<string> {
  const file = JSON.parse(exported) as Mutable<AuditFile>;
  change(file);
  const faults = await faultsOf(auditFileText(file));
  expect(faults).not.toBe('');
  return faults;
}

type Mutable<Value> = Value extends object
  ? { -readonly [Name in keyof Value]: Mutable<Value[Name]> }
  : Value;

describe('the file of a loan', () => {
  it('is checked with nothing but itself and the public keys', async () => {
    // Whoever checks a file has no database.
    const nowhere = 'postgres://nobody@127.0.0.1:1/none';
    const verify = (file: string) =>
      runAdmin(nowhere, 'audit', 'verify', inFolder(file), '--key', inFolder('keys'));
    const { code, out, error } = await verify('journey.json');
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('Everything is as it was written and signed.');
    expect(out).toMatch(
      /Entries 1 to \d+ are under root 1 of \d{4}-\d\d-\d\d: [0-9a-f]{64}\.\nCompare that root/,
    );
    expect(out).toMatch(/Not in the file, but signed: answer OFFERS .*LOAN_EVENT/);
    writeFileSync(inFolder('changed.json'), exported.replace('"INSERT', '"UPDATE'));
    expect(await verify('changed.json')).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not as it was written and signed') as string,
    });
  });

  it('tells what happened to somebody who does not know the code', () => {
    const { story } = JSON.parse(exported) as AuditFile;
    const told = story.join('\n');
    for (const sentence of [
      'The journey began.',
      'The partner attests that ',
      'Lenders made offers: the journey went from INITIATED to OFFERS_RECEIVED.',
      /The applicant chose an offer, off_\w+, ₹[\d,]+ for \d+ months, APR [\d.]+%: the journey went from OFFERS_RECEIVED to /,
      /The lender navdhara answered which offers it makes \(answer .+\)\./,
      /Frozen, as its offer was chosen: the Key Facts Statement of the offer off_\w+, SHA-256 \w{64}/,
      /Acknowledged by the applicant by a return that stands for a visit, .+, language en: the Key Facts/,
      /Offers were shown to the partner by the API, in the order of the published metric APR_ASC/,
      'The applicant acknowledged the Key Facts Statement',
      'The lender navdhara told what happened with the loan (message message-',
      /The lender paid the loan out: the journey went from DISBURSEMENT_PENDING to SANCTIONED; ₹[\d,]+ were sent, transfer reference \w+\./,
      /The operator \(.+\) gave the command “audit export”: out \(given\), journey jrn_\w+\./,
    ]) {
      expect(told).toMatch(sentence);
    }
    expect(told).not.toContain('What is called');
  });

  it('has the statement and its PDFs, and personal data only when it is asked for', async () => {
    const contents = ({ exhibits }: AuditFile) =>
      new Map(exhibits.map(({ name, content }) => [name.replace(/ off_\w+/, ''), content]));
    const plain = contents(JSON.parse(exported) as AuditFile);
    expect(JSON.parse(plain.get('statement.json') ?? '')).toMatchObject({
      templateVersion: expect.anything(),
    });
    for (const language of ['en', 'hi']) {
      const pdf = Buffer.from(plain.get(`statement ${language}.pdf`) ?? '', 'base64');
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    }
    const everything = exported + [...plain.values()].join();
    for (const known of [PERSONAL, 'Asha Verma', '9876543210', 'ABCDE1234F']) {
      expect(everything).not.toContain(known);
    }
    const whole = await exportTo('whole.json', '--journey', journey.id, '--personal');
    // What is withheld cannot be guessed by its hash, and is the same when it is shown.
    const withheld = (JSON.parse(exported) as AuditFile).exhibits.filter((one) => one.isPersonal);
    const shown = (JSON.parse(whole) as AuditFile).exhibits.filter((one) => one.isPersonal);
    expect(withheld.length).toBeGreaterThan(0);
    expect(withheld.map(({ sha256: hash }) => hash)).toEqual(shown.map((one) => one.sha256));
    for (const { content = '', sha256: hash } of shown) expect(hash).not.toBe(sha256(content));
    expect(exported).not.toContain('"salt"');
    expect([...contents(JSON.parse(whole) as AuditFile).values()].join()).toContain(PERSONAL);
    expect(await faultsOf(whole)).toBe('');
  });

  it('names the first entry that was changed, left out, put in, swapped, or cut off', async () => {
    const changed = await saidOf(({ entries }) => {
      entries[2].entry = entries[2].entry.replace('"INSERT"', '"UPDATE"');
    });
    expect(changed).toMatch(new RegExp(`${journey.id}, entry 3 \\(\\w+ \\w+\\): the entry is not`));
    expect(await saidOf(({ entries }) => entries.splice(4, 1))).toContain(
      ', entry 5: the entry is missing',
    );
    const added = await saidOf(({ entries }) => {
      entries.splice(1, 0, { ...entries[0] });
    });
    expect(added).toContain(', entry 2: the entry is missing');
    const swapped = await saidOf(({ entries }) => {
      [entries[5].entry, entries[6].entry] = [entries[6].entry, entries[5].entry];
    });
    expect(swapped).toContain(', entry 6 (');
    const cut = await saidOf(({ entries }) => entries.pop());
    const { entries } = JSON.parse(exported) as AuditFile;
    expect(cut).toContain(
      `, entry ${entries.length}: the end is missing: the file’s signature has`,
    );
  });

  it('names a document that was changed or left out, and finds a story that was written anew', async () => {
    for (const [index, { name }] of (JSON.parse(exported) as AuditFile).exhibits.entries()) {
      const changed = await saidOf(({ exhibits }) => {
        exhibits[index].content = Buffer.from('another').toString(exhibits[index].encoding);
      });
      expect(changed).toContain(`The document ${name} has been changed.`);
      const exchanged = await saidOf(({ exhibits }) => {
        exhibits[index].content = Buffer.from('another').toString(exhibits[index].encoding);
        exhibits[index].sha256 = sha256('another');
      });
      expect(exchanged).toContain(`The document ${name} is not the one that was signed.`);
      expect(await saidOf(({ exhibits }) => exhibits.splice(index, 1))).toContain(name);
    }
    expect(await saidOf(({ story }) => story.pop())).toContain('The story is not the one');
  });

  it('is refused when it is signed by others, or under another root', async () => {
    const written = await exportTo('instant.json', '--application', instant.applicationId);
    const theirs = JSON.parse(written) as AuditFile;
    const said = await saidOf((file) => {
      file.signature = theirs.signature;
    });
    expect(said).toContain('The signature is of another subject.');
    const path = await saidOf(({ proof }) => {
      proof!.path[0] = '0'.repeat(64);
    });
    expect(path).toMatch(/entry \d+: it is not the one under the root of/);
    const root = await saidOf(({ proof }) => {
      proof!.signedRoot = theirs.signature;
    });
    expect(root).toContain('None of the keys has signed the root of the proof.');
    const without = await saidOf((file) => {
      file.proof = null;
    });
    expect(without).toContain('The proof was taken out of the file.');
    const shorter = await saidOf(({ proof }) => {
      proof!.position -= 1;
    });
    expect(shorter).toContain('The proof is not the one that was signed.');
    expect(await faultsOf(exported, { keys: [] })).toContain(
      'None of the keys has signed the file.',
    );
  });

  it('is compared with the roots that somebody kept', async () => {
    const { out } = await bench.admin('audit', 'roots', '--signed', '--newest');
    expect(await faultsOf(exported, { kept: [out] })).toBe('');
    expect(await faultsOf(exported, { kept: ['eyJ.another.one'] })).toMatch(
      /Root 1 of .* is not among those that were kept\./,
    );
  });

  it('and roots prove nothing by a key that had been retired before', async () => {
    const retired = (at: number) =>
      keys.map((key) => ({ ...key, retiredAt: new Date(at).toISOString() }));
    expect(await faultsOf(exported, { keys: retired(Date.now()) })).toBe('');
    const before = retired(Date.now() - 60 * 60_000);
    const faults = await faultsOf(exported, { keys: before });
    expect(faults).toContain('The key that signed the file had been retired before.');
    expect(faults).toContain('The key that signed the root of the proof had been retired before.');
    writeFileSync(inFolder('retired'), JSON.stringify({ keys: before }));
    const database = await bench.admin('audit', 'verify', '--key', inFolder('retired'));
    expect(database.out).toContain('its key had been retired before');
  });

  it('of an instant loan is found by its application, and tells of the payment', async () => {
    const { applicationId, journeyId } = instant;
    const text = await exportTo('instant.json', '--application', applicationId);
    const { subjectId, proof, story: lines, exhibits } = JSON.parse(text) as AuditFile;
    expect([subjectId, proof]).toEqual([journeyId, null]);
    const statements = exhibits.filter(({ name }) => name.startsWith('statement '));
    expect(statements.map(({ mediaType }) => mediaType.replace(/.*\//, ''))).toEqual([
      'json',
      'pdf',
      'pdf',
    ]);
    const story = lines.join('\n');
    expect(story).toMatch(/A payment was ordered \(₹[\d,]+, order pay_\w+/);
    expect(story).toMatch(/The payment was received \(₹[\d,.]+, order pay_\w+, payment \w+/);
    expect(story).toMatch(/The operator \(.+\) gave the command “audit export”: /);
    // Every one has words of its own.
    expect(story).not.toContain('What is called');
    expect(await faultsOf(text)).toBe('');
    const verified = await bench.admin('audit', 'verify', '--application', applicationId);
    expect([verified.code, verified.out]).toEqual([
      0,
      expect.stringContaining('Everything is as it was written.'),
    ]);
  });

  it('is made when a document was changed, too, and its check names that one', async () => {
    const { id } = other;
    // It draws the PDFs.
    await exportTo('readable.json', '--journey', id);
    for (const [table, column, name] of [
      ['key_facts_statements', 'content_sealed', /^statement off_\w+\.json$/],
      ['key_facts_pdfs', 'pdf_sealed', /^statement off_\w+ (en|hi)\.pdf$/],
      ['lender_inbox', 'answer_sealed', /^answer \w+ .+ of .+\.json$/],
      ['lender_messages', 'body_sealed', /^LOAN_EVENT message-.+\.json$/],
    ] as const) {
      const [{ sealed }] = await bench.query<{ sealed: string }>(
        `SELECT ${column} AS sealed FROM ${table} AS r
         WHERE to_jsonb(r) ->> 'journey_id' = $1 OR to_jsonb(r) ->> 'subject_id' = $1
           OR to_jsonb(r) ->> 'content_hash' = (SELECT content_hash FROM key_facts_statements WHERE journey_id = $1)
         LIMIT 1`,
        [id],
      );
      const seal = (from: string, to: string) =>
        bench.query(`UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`, [from, to]);
      const changed = `${sealed.slice(0, 40)}AAAA${sealed.slice(44)}`;
      await seal(sealed, changed);
      const file = JSON.parse(await exportTo('unreadable.json', '--journey', id)) as AuditFile;
      await seal(changed, sealed);
      const [document, ...more] = file.exhibits.filter(
        ({ content = '' }) => content === 'It cannot be opened.',
      );
      expect([document?.name, more]).toEqual([expect.stringMatching(name), []]);
      const faults = await faultsOf(auditFileText(file));
      expect(faults).toContain(
        `The document ${document.name} could not be opened when the file was made.`,
      );
      expect(faults).not.toContain('that was signed');
      // Whoever takes the words out of the file does not take them out of its signature.
      const cleaned = structuredClone(file);
      cleaned.exhibits.find((one) => one.name === document.name)!.content = undefined;
      expect(await faultsOf(auditFileText(cleaned))).not.toBe('');
    }
  });

  it.each([
    ['lender_inbox', 'answer_sealed', /^answer \w+ .+ of .+\.json$/],
    ['lender_messages', 'body_sealed', /^LOAN_EVENT message-.+\.json$/],
  ] as const)(
    'is made without what was exchanged or deleted in %s, and its check names it',
    async (table, column, name) => {
      const sealedOf = async (id: string) => {
        const rows = await bench.query<{ id: number; sealed: string }>(
          `SELECT id, ${column} AS sealed FROM ${table} WHERE subject_id = $1 AND ${column} IS NOT NULL ORDER BY id`,
          [id],
        );
        return rows[0];
      };
      const [row, theirs] = [await sealedOf(journey.id), await sealedOf(other.id)];
      await bench.query(`CREATE TEMPORARY TABLE kept AS SELECT * FROM ${table} WHERE id = $1`, [
        row.id,
      ]);
      const remove = `DELETE FROM ${table} WHERE id = $1`;
      // Another loan's can be opened, too.
      const exchange = `UPDATE ${table} SET ${column} = $2 WHERE id = $1`;
      for (const [change, ...values] of [[exchange, theirs.sealed], [remove]]) {
        await bench.query(change, [row.id, ...values]);
        const whole = await exportTo('exchanged.json', '--journey', journey.id, '--personal');
        await bench.query(remove, [row.id]);
        await bench.query(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE kept`);
        const { exhibits } = JSON.parse(whole) as AuditFile;
        const [document, ...more] = exhibits.filter(
          ({ content }) => content === 'It cannot be opened.',
        );
        expect([document?.name, more]).toEqual([expect.stringMatching(name), []]);
        expect(await faultsOf(whole)).toContain(
          `The document ${document.name} could not be opened when the file was made.`,
        );
      }
      await bench.query('DROP TABLE kept');
      const whole = await exportTo('as-before.json', '--journey', journey.id, '--personal');
      expect(await faultsOf(whole)).toBe('');
    },
  );

  it('is made when somebody has written into its entries what is no detail or time, and names the first', async () => {
    const { journeyId: id } = instant;
    const entries = await bench.query<{ position: number; entry: string }>(
      'SELECT position, entry FROM audit_entries WHERE subject_id = $1',
      [id],
    );
    const noTime = Object.fromEntries(
      ['created_at', 'recorded_at', 'received_at', 'frozen_at'].map((column) => [column, 'x']),
    );
    for (const [entry, row] of [
      [{}, { detail: null, parameters: null }],
      [{}, { detail: 'x', parameters: 'x' }],
      [{}, { detail: { amount: 'x', fee: {}, apr: null, validUntil: 'x' } }],
      [{}, noTime],
    ]) {
      await bench.query(
        `UPDATE audit_entries SET entry =
           (entry::jsonb || $2::jsonb || jsonb_build_object('row', (entry::jsonb -> 'row') || $3::jsonb))::text
         WHERE subject_id = $1 AND position <= $4`,
        [id, entry, row, entries.length],
      );
      const text = await exportTo('written.json', '--journey', id);
      const { story } = JSON.parse(text) as AuditFile;
      expect(story.length).toBeGreaterThan(entries.length);
      expect(await faultsOf(text)).toContain(`${id}, entry 1 (`);
      for (const { position, entry: before } of entries) {
        await bench.query(
          'UPDATE audit_entries SET entry = $3 WHERE subject_id = $1 AND position = $2',
          [id, position, before],
        );
      }
    }
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
    expect((await bench.admin('audit', 'export')).error).toContain('Give one of');
    for (const [parameters, said] of [
      [
        ['export', '--journey', unknown, '--out', inFolder('none')],
        `There is no audit of ${unknown}`,
      ],
      [
        ['verify', inFolder('keys'), '--key', inFolder('keys')],
        'is not a file exactly as `audit export` wrote it',
      ],
      [['verify', inFolder('nowhere'), '--key', inFolder('keys')], 'cannot be read'],
      [['verify', inFolder('journey.json')], 'Give the public keys'],
      [['verify', inFolder('journey.json'), '--key', inFolder('journey.json')], 'is no JWKS'],
      [['export', '--journey', 'jrn_1', '--out', inFolder('none')], 'There is no audit of jrn_1'],
      [['verify', '--journey', `${journey.id}0`], `There is no chain of ${journey.id}0.`],
      [['verify', '--application', 'app_1'], 'There is no chain of app_1.'],
    ] as const) {
      const { code, error } = await bench.admin('audit', ...parameters);
      expect([code, error]).toEqual([1, expect.stringContaining(said)]);
    }
    // What is not there has no chain by being asked for, and that it was asked for is the operator's.
    const none = await bench.admin('audit', 'verify', '--journey', unknown);
    expect([none.code, none.error]).toEqual([
      1,
      expect.stringContaining(`There is no chain of ${unknown}.`),
    ]);
    const [asked] = await bench.query(
      `SELECT subject_id, command FROM operator_commands WHERE parameters ->> 'journey' = $1`,
      [unknown],
    );
    expect(asked).toEqual({ subject_id: 'operator', command: 'audit export' });
  });

  it('and its chain hold after an erasure, of which they tell', async () => {
    const { id } = other;
    const { code } = await bench.admin('applicants', 'erase', '--journey', id);
    expect(code).toBe(0);
    const whole = await exportTo('erased.json', '--journey', id, '--personal');
    expect(whole).not.toContain(PERSONAL);
    expect(whole).toContain('was erased');
    expect(await faultsOf(whole)).toBe('');
    const { code: verified, out } = await bench.admin('audit', 'verify', '--journey', id);
    expect([verified, out]).toEqual([
      0,
      expect.stringContaining('Everything is as it was written.'),
    ]);
  });
});

describe('the audit of the operator', () => {
  it('has what was asked for, by whom, and nothing personal', async () => {
    await bench.admin('applicants', 'erase', '--mobile', '9812345678');
    const [row] = await bench.query<Record<string, unknown>>(
      `SELECT subject_id, command, parameters, given_by FROM operator_commands ORDER BY id DESC LIMIT 1`,
    );
    expect(row).toMatchObject({
      subject_id: 'operator',
      command: 'applicants erase',
      parameters: { mobile: '(given)' },
    });
    expect(row['given_by']).not.toBe('');
  });

  it('has what may be noted as it was given', async () => {
    const note = 'Restored the backup of yesterday';
    const noted = await runAdminWith(
      { OPERATOR: ' operator 7 ' },
      bench.databaseUrl,
      'audit',
      'note',
      note,
    );
    expect(noted).toMatchObject({ code: 0, out: 'Noted.' });
    const last =
      'SELECT command, parameters, given_by FROM operator_commands ORDER BY id DESC LIMIT 1';
    expect(await bench.query(last)).toEqual([
      { command: 'audit note', parameters: { arguments: [note] }, given_by: 'operator 7' },
    ]);
  });

  it('is held against keys and roots from elsewhere', async () => {
    const verify = (...more: string[]) => bench.admin('audit', 'verify', ...more);
    const bare = await verify();
    expect(bare.code).toBe(0);
    expect(bare.out).toContain('WARNING: the keys were those of the database that was checked.');
    expect(bare.out).toContain('WARNING: no roots from elsewhere were given.');
    const kept = (await bench.admin('audit', 'roots', '--signed')).out;
    writeFileSync(inFolder('roots'), kept);
    const given = ['--key', inFolder('keys'), '--roots', inFolder('roots')];
    const held = await verify(...given);
    expect([held.code, held.out]).toEqual([0, expect.not.stringMatching(/--key|--roots/)]);
    writeFileSync(inFolder('roots'), `${kept}\neyJ.another.one\n`);
    const gone = await verify(...given, '--journey', journey.id);
    expect([gone.code, gone.out]).toEqual([1, expect.stringContaining('kept root 2: it is not')]);
    writeFileSync(inFolder('no-keys'), '{"keys":[]}');
    const unknown = await verify('--key', inFolder('no-keys'));
    expect([unknown.code, unknown.out]).toEqual([
      1,
      expect.stringContaining('none of the keys has signed it'),
    ]);
  });

  it('prints the signed roots', async () => {
    expect((await bench.admin('audit', 'roots')).out).toMatch(
      /1 +\d{4}-\d\d-\d\d +\d+ +\d{4}-\d\d-\d\dT[\d:]{8} +[0-9a-f]{64}/,
    );
    expect((await bench.admin('audit', 'roots', '--signed')).out).toMatch(
      /^ey[\w-]+\.[\w-]+\.[\w-]+$/m,
    );
  });
});

/** The triggers that do not fire each time: an answer that was processed, what is of no loan. */
const SELDOM: Readonly<Record<string, readonly [when: string, condition: string]>> = {
  lender_inbox: [
    'INSERT OR UPDATE OF answer_sealed',
    'WHEN (((new.consumed_at IS NULL) OR (new.answer_sealed IS NULL))) ',
  ],
  lender_messages: ['INSERT OR UPDATE', 'WHEN ((new.subject_id IS NOT NULL)) '],
};

it('every table that is declared has its trigger, and no other one has', async () => {
  const triggers = await bench.query<{ table: string; args: string }>(
    `SELECT tgrelid::regclass::text AS table, pg_get_triggerdef(oid) AS args FROM pg_trigger
     WHERE tgfoid = 'chain_audit_row'::regproc ORDER BY 1`,
  );
  const declared = AUDIT_TRAIL.sources.toSorted((one, two) => (one.table < two.table ? -1 : 1));
  expect(triggers.map(({ table }) => table)).toEqual(declared.map(({ table }) => table));
  for (const [index, { table, args }] of triggers.entries()) {
    const { subject, sealed, leftOut } = declared[index];
    const given = `'${subject}', '{${sealed.join(',')}}', '{${leftOut.join(',')}}'`;
    expect(args).toContain(`chain_audit_row(${given})`);
    const [when, condition] = SELDOM[table] ?? ['INSERT OR UPDATE', ''];
    expect(args).toContain(` AFTER ${when} ON `);
    expect(args).toContain(`FOR EACH ROW ${condition}EXECUTE FUNCTION`);
    expect(args).toContain('DEFERRABLE INITIALLY DEFERRED');
  }
});
