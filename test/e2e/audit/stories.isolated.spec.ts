// Isolated: bypasses the triggers, and verifies the whole database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AuditFile,
  type AuditKey,
  checkAuditFile,
  readAuditFile,
} from '../../../src/audit/index.js';
import { storyOf } from '../../../src/audit/file/audit-file.js';
import { AUDIT_TRAIL } from '../../../src/composition.js';
import { formatPercent, formatRupees } from '../../../src/platform/index.js';
import { loanRequest } from '../../support/loan-requests.js';
import { ACCOUNT, StepJourney } from '../hosted-steps/step-journey.js';
import { AuditBench } from './audit-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => AuditBench.open());
let keys: AuditKey[];

beforeAll(async () => {
  ({ keys } = JSON.parse((await bench.admin('audit', 'keys')).out) as { keys: AuditKey[] });
});

async function exported(...parameters: string[]): Promise<AuditFile> {
  const out = join(bench.folder, 'loan.json');
  expect(await bench.admin('audit', 'export', '--out', out, ...parameters)).toMatchObject({
    code: 0,
    error: '',
  });
  const file = readAuditFile(readFileSync(out))!;
  const { sources } = AUDIT_TRAIL;
  expect((await checkAuditFile(file, { keys, sources })).faults).toEqual([]);
  return file;
}

/** The personal data that the applicants entered. */
const { fullName, pan, dob, companyName, addressL1, pinCode } = loanRequest().customer;
const SAID = [fullName, pan, dob, companyName, addressL1, pinCode];

/** Which of these values the file or its documents contain. */
function mentioned(known: readonly string[], file: AuditFile): string[] {
  const documents = file.exhibits.map(({ content = '', encoding }) =>
    Buffer.from(content, encoding).toString('utf8'),
  );
  const text = [JSON.stringify(file), ...documents].join('\n');
  // Six digits may appear in a hash or a fraction of a second by chance.
  const isIn = (one: string) =>
    /^\d{6}$/.test(one) ? new RegExp(`(?<![\\w.])${one}`).test(text) : text.includes(one);
  return known.filter(isIn);
}

/** The export after an erasure; the whole chain must still be valid. */
async function erased(...whose: string[]): Promise<AuditFile> {
  const erase = await bench.admin('applicants', 'erase', ...whose, '--force');
  expect(erase).toMatchObject({ code: 0 });
  expect(await bench.admin('audit', 'verify', ...whose)).toMatchObject({
    code: 0,
    out: expect.stringContaining('OK: everything is as it was written.') as string,
  });
  return exported(...whose, '--personal');
}

/** Expects each of these sentences, in this order. */
function expectInOrder(
  { story, exhibits }: AuditFile,
  sentences: readonly (string | RegExp)[],
): void {
  const named = [...story.join('\n').matchAll(/“(offers [^”]+)”/g)].map(([, name]) => name);
  const names = exhibits.map(({ name }) => name);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
  expect(named).not.toEqual([]);
  const lines = story.map((line) =>
    line.replace(/^.* IST {2}/, '').replace(/ {2}\[entry \d+\]$/, ''),
  );
  let after = -1;
  for (const sentence of sentences) {
    const at = lines.findIndex(
      (line, index) =>
        index > after && (typeof sentence === 'string' ? line === sentence : sentence.test(line)),
    );
    expect(at, `${String(sentence)} after ${lines[after]} in\n${lines.join('\n')}`).not.toBe(-1);
    after = at;
  }
  expect(lines.join('\n')).not.toMatch(/What is called|\(not noted\)|undefined|null/);
}

describe('the file of an instant loan that was declined after its payment', () => {
  const PERSONAL = ['9811111111', 'SANDX0013A', 'Yashodhara'];
  let id: string;
  let journeyId: string;

  beforeAll(async () => {
    await bench.callbacks.journeys.configure('UPDATE lenders SET is_enabled = true');
    ({ applicationId: id, journeyId } = await bench.instantLoan('SANDX0013A'));
    await bench.callbacks.journeys.keepOneLender();
    await bench.signRoots();
  });

  it('tells who offered, whose offer was chosen, what was paid, and that it went back', async () => {
    const file = await exported('--application', id);
    const offers = await bench.query<{ lender: string; id: string; apr: number; fee: number }>(
      `SELECT lender_code AS lender, id, (figures ->> 'apr')::float AS apr,
         (figures ->> 'processingFees')::int AS fee
       FROM journey_offers WHERE journey_id = $1 ORDER BY (figures ->> 'apr')::float`,
      [journeyId],
    );
    expect(offers.length).toBeGreaterThan(1);
    const [{ payment, order, refund }] = await bench.query<Record<string, string>>(
      `SELECT gateway_payment_id AS payment, order_id AS order, id AS refund
       FROM payment_refunds WHERE subject_id = $1`,
      [journeyId],
    );
    const [best] = offers;
    const fee = formatRupees(best.fee);
    expectInOrder(file, [
      new RegExp(`^The lender ${best.lender} answered which offers it makes \\(answer .+\\)\\.$`),
      'Lenders made offers: the journey went from INITIATED to OFFERS_RECEIVED.',
      `The fee of the chosen lender is to be paid: ${fee}.`,
      new RegExp(
        `^The applicant chose an offer, ${best.id}, .+, APR ${formatPercent(best.apr)}: ` +
          'the journey went from OFFERS_RECEIVED to FEE_PENDING\\.$',
      ),
      `The payment of the fee was ordered: ${fee}, order ${order}.`,
      `The payment of the fee counts: ${fee}, payment ${payment}, order ${order}.`,
      'The applicant paid the fee: the journey went from FEE_PENDING to DECISION_PENDING.',
      new RegExp(`^The lender ${best.lender} answered whether it lends \\(answer .+\\)\\.$`),
      'The lender declined the loan after the payment: the journey went from DECISION_PENDING to REJECTED, because LOAN_DECLINED.',
      `It was decided that a payment goes back to the applicant: ${fee}, payment ${payment}, order ${order}, refund ${refund}.`,
      new RegExp(
        `^The gateway said that it has sent the money back \\(order ${order}, refund ${refund}.*\\)\\.$`,
      ),
      `A text message was written that tells the applicant of the refund: ${fee}, refund ${refund}.`,
      /^The operator \(.+\) gave the command “audit export”: /,
    ]);
    expect(file.exhibits.filter(({ isPersonal }) => isPersonal)).not.toEqual([]);
    for (const { isPersonal, content } of file.exhibits) {
      expect(content === undefined).toBe(isPersonal);
    }
    expect(mentioned(PERSONAL, file)).toEqual([]);
    const statements = file.exhibits.filter(({ name }) => name.startsWith('statement '));
    expect(statements.map(({ mediaType }) => mediaType.replace(/.*\//, ''))).toEqual([
      'json',
      'pdf',
      'pdf',
    ]);
  });

  it('has a story, whatever an attacker wrote into its entries', async () => {
    const { entries, story } = await exported('--application', id);
    const byTable = new Map(AUDIT_TRAIL.sources.map((source) => [source.table, source]));
    const times = ['created_at', 'recorded_at', 'received_at', 'frozen_at'];
    for (const junk of [
      { detail: null, parameters: null },
      { detail: 'x', parameters: 'x' },
      { detail: { amount: 'x', fee: {}, apr: null, validUntil: 'x' } },
      Object.fromEntries(times.map((column) => [column, 'x'])),
    ]) {
      const forged = entries.map(({ entry, ...rest }) => {
        const said = JSON.parse(entry) as { row: object };
        return { ...rest, entry: JSON.stringify({ ...said, row: { ...said.row, ...junk } }) };
      });
      expect(storyOf(forged, byTable)).toHaveLength(story.length);
    }
  });

  it('and its chain hold after an erasure, of which they tell', async () => {
    const file = await erased('--application', id);
    expect(file.proof).not.toBeNull();
    expectInOrder(file, [
      'The lender declined the loan after the payment: the journey went from DECISION_PENDING to REJECTED, because LOAN_DECLINED.',
      'The applicant’s personal data was erased.',
    ]);
    // Of the lenders' messages only `NOTED` remains.
    const left = file.exhibits.filter(({ isPersonal }) => isPersonal);
    for (const { content } of left) expect(content).toBe('{"kind":"NOTED"}');
    expect(mentioned(PERSONAL, file)).toEqual([]);
  });
});

describe('the file of a personal loan on the hosted screens', () => {
  it('tells what the applicant agreed to, what they were shown and chose, and where the money went, also after an erasure', async () => {
    const { journeys } = bench.callbacks;
    const journey = await StepJourney.at('OFFERS_RECEIVED', journeys.service);
    expect((await journey.client.open('/hosted')).path).toBe('/hosted/offers');
    await journey.driveTo('SANCTIONED');
    await journeys.settled();
    const { id, mobile } = journey.start;
    const file = await exported('--journey', id);
    expectInOrder(file, [
      'The journey began.',
      /^The applicant gave their consent/,
      'The applicant confirmed their details.',
      /^The lender navdhara answered which offers it makes \(answer .+\)\.$/,
      /^Lenders made offers: the journey went from INITIATED to OFFERS_RECEIVED\.$/,
      /^Offers were shown on our page, language en, in the order of the published metric/,
      /^Frozen, as its offer was chosen: the Key Facts Statement of the offer off_\w+, SHA-256 \w{64}/,
      /^The applicant chose an offer, off_\w+, ₹2,00,000 for 36 months, APR 13\.23%: /,
      /^The applicant’s identity was verified \(KYC\): /,
      /^The bank account was accepted: /,
      /^The applicant set up the mandate to repay: /,
      /^The applicant signed the loan agreement: /,
      /^The lender paid the loan out: the journey went from DISBURSEMENT_PENDING to SANCTIONED; ₹[\d,]+ were sent, transfer reference \w+\.$/,
    ]);
    expectInOrder(file, [/^Acknowledged by the applicant on the page of the hosted journey, /]);
    expect(mentioned([...SAID, mobile, ACCOUNT.accNo], file)).toEqual([]);
    expect(file.exhibits.filter(({ isPersonal }) => isPersonal)).not.toEqual([]);
    expect(
      file.exhibits.every(({ isPersonal, content }) => isPersonal === (content === undefined)),
    ).toBe(true);
    // The flag adds only the content of the withheld documents.
    const whole = await exported('--journey', id, '--personal');
    expect(whole.exhibits.every(({ content }) => content !== undefined)).toBe(true);
    const others = whole.exhibits.filter(({ isPersonal }) => !isPersonal);
    expect(mentioned([...SAID, mobile, ACCOUNT.accNo], { ...whole, exhibits: others })).toEqual([]);

    const after = await erased('--journey', id);
    expectInOrder(after, [
      /^The lender paid the loan out: /,
      'The applicant’s personal data was erased.',
    ]);
    expect(mentioned([...SAID, mobile, ACCOUNT.accNo], after)).toEqual([]);
  });
});
