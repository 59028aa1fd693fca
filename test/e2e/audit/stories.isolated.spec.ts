// Isolated: tables are altered without a trace, and the whole database is verified.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AuditFile,
  type AuditKey,
  checkAuditFile,
  readAuditFile,
} from '../../../src/audit/index.js';
import { AUDIT_TRAIL } from '../../../src/composition.js';
import { formatPercent, formatRupees } from '../../../src/platform/index.js';
import { loanRequest } from '../../support/loan-requests.js';
import { DAY, type TestJourney } from '../journeys/journey-bench.js';
import { ACCOUNT, StepJourney } from '../hosted-steps/step-journey.js';
import { AuditBench } from './audit-bench.js';

let bench: AuditBench;
let keys: AuditKey[];

beforeAll(async () => {
  bench = await AuditBench.open();
  ({ keys } = JSON.parse((await bench.admin('audit', 'keys')).out) as { keys: AuditKey[] });
});

afterAll(() => bench?.close());

async function exported(...parameters: string[]): Promise<AuditFile> {
  const { file, faults } = await exportedWithFaults(...parameters);
  expect(faults).toEqual([]);
  return file;
}

async function exportedWithFaults(...parameters: string[]) {
  const out = join(bench.folder, 'loan.json');
  expect(await bench.admin('audit', 'export', '--out', out, ...parameters)).toMatchObject({
    code: 0,
    error: '',
  });
  const file = readAuditFile(readFileSync(out))!;
  const { sources } = AUDIT_TRAIL;
  return { file, faults: (await checkAuditFile(file, { keys, sources })).faults };
}

/** What the applicants of journeys have said of themselves. */
const { fullName, pan, dob, companyName, addressL1, pinCode } = loanRequest().customer;
const SAID = [fullName, pan, dob, companyName, addressL1, pinCode];

/** Which of these a file has, in itself or in a document. */
function mentioned(known: readonly string[], file: AuditFile): string[] {
  const documents = file.exhibits.map(({ content = '', encoding }) =>
    Buffer.from(content, encoding).toString('utf8'),
  );
  const text = [JSON.stringify(file), ...documents].join('\n');
  // Six digits are in some hash or part of a second by chance.
  const isIn = (one: string) =>
    /^\d{6}$/.test(one) ? new RegExp(`(?<![\\w.])${one}`).test(text) : text.includes(one);
  return known.filter(isIn);
}

/** The file after an erasure, when the whole chain is still sound. */
async function erased(...whose: string[]): Promise<AuditFile> {
  const erase = await bench.admin('applicants', 'erase', ...whose, '--force');
  expect(erase).toMatchObject({ code: 0 });
  expect(await bench.admin('audit', 'verify', ...whose)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Everything is as it was written.') as string,
  });
  return exported(...whose, '--personal');
}

/** Each of these is a whole sentence of the story, and comes after the one before. */
function expectInOrder(
  { story, exhibits }: AuditFile,
  sentences: readonly (string | RegExp)[],
): void {
  const named = [...story.join('\n').matchAll(/“(offers [^”]+)”/g)].map(([, name]) => name);
  const names = exhibits.map(({ name }) => name);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
  expect(named).not.toEqual([]);
  const told = story.map((line) =>
    line.replace(/^.* IST {2}/, '').replace(/ {2}\[entry \d+\]$/, ''),
  );
  let after = -1;
  for (const sentence of sentences) {
    const at = told.findIndex(
      (line, index) =>
        index > after && (typeof sentence === 'string' ? line === sentence : sentence.test(line)),
    );
    expect(at, `${String(sentence)} after ${told[after]} in\n${told.join('\n')}`).not.toBe(-1);
    after = at;
  }
  expect(told.join('\n')).not.toMatch(/What is called|\(not noted\)|undefined|null/);
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
    for (const { lender } of offers) {
      expectInOrder(file, [
        'The journey began.',
        new RegExp(`^The lender ${lender} answered which offers it makes \\(answer .+\\)\\.$`),
        'Lenders made offers: the journey went from INITIATED to OFFERS_RECEIVED.',
      ]);
    }
    expectInOrder(file, [
      'Lenders made offers: the journey went from INITIATED to OFFERS_RECEIVED.',
      /^Offers were shown on our page, language en, in the order of the published metric/,
      new RegExp(
        `^Frozen, as its offer was chosen: the Key Facts Statement of the offer ${best.id}, SHA-256 \\w{64}`,
      ),
      `The fee of the chosen lender is to be paid: ${fee}.`,
      new RegExp(
        `^The applicant chose an offer, ${best.id}, .+, APR ${formatPercent(best.apr)}: ` +
          'the journey went from OFFERS_RECEIVED to FEE_PENDING\\.$',
      ),
      /^An offer was chosen of those that were shown on our page/,
      'The applicant acknowledged the Key Facts Statement.',
      `The payment of the fee was ordered: ${fee}, order ${order}.`,
      `The payment of the fee counts: ${fee}, payment ${payment}, order ${order}.`,
      'The applicant paid the fee: the journey went from FEE_PENDING to DECISION_PENDING.',
      new RegExp(`^The lender ${best.lender} answered whether it lends \\(answer .+\\)\\.$`),
      'The lender declined the loan after the payment: the journey went from DECISION_PENDING to REJECTED.',
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

  it('tells something of entries in which there is no detail, amount or time', async () => {
    const entries = await bench.query<{ position: number; entry: string }>(
      'SELECT position, entry FROM audit_entries WHERE subject_id = $1',
      [journeyId],
    );
    const times = ['created_at', 'recorded_at', 'received_at', 'frozen_at'];
    for (const row of [
      { detail: null, parameters: null },
      { detail: 'x', parameters: 'x' },
      { detail: { amount: 'x', fee: {}, apr: null, validUntil: 'x' } },
      Object.fromEntries(times.map((column) => [column, 'x'])),
    ]) {
      await bench.query(
        `UPDATE audit_entries SET entry =
           (entry::jsonb || jsonb_build_object('row', (entry::jsonb -> 'row') || $2::jsonb))::text
         WHERE subject_id = $1 AND position <= $3`,
        [journeyId, row, entries.length],
      );
      const { file, faults } = await exportedWithFaults('--journey', journeyId);
      for (const { position, entry } of entries) {
        await bench.query(
          'UPDATE audit_entries SET entry = $3 WHERE subject_id = $1 AND position = $2',
          [journeyId, position, entry],
        );
      }
      expect(file.story.length).toBeGreaterThan(entries.length);
      expect(faults[0]).toContain(`${journeyId}, entry 1 (`);
    }
  });

  it('and its chain hold after an erasure, of which they tell', async () => {
    const file = await erased('--application', id);
    expect(file.proof).not.toBeNull();
    expectInOrder(file, [
      'The lender declined the loan after the payment: the journey went from DECISION_PENDING to REJECTED.',
      'The applicant’s personal data was erased.',
    ]);
    // Of what lenders said it has left that they noted the end, which is said of nobody.
    const left = file.exhibits.filter(({ isPersonal }) => isPersonal);
    for (const { content } of left) expect(content).toBe('{"kind":"NOTED"}');
    expect(mentioned(PERSONAL, file)).toEqual([]);
  });
});

describe('the file of a gold loan whose offer its lender revised', () => {
  async function revise(journey: TestJourney): Promise<void> {
    const { callbacks } = bench;
    const body = {
      id: callbacks.newId(),
      ...(await callbacks.applicationOf(journey)),
      reason: 'GOLD_APPRAISED',
      revisedAt: callbacks.journeys.service.now().toISOString(),
      offer: {
        reference: 'R-2',
        principal: 1_000_000,
        minimumAmount: 1_000_000,
        tenureMonths: 12,
        rate: { kind: 'FIXED', annualPercent: '12' },
        repayment: { kind: 'EMI', instalment: 88_800 },
        apr: '12.00',
        netPayout: 1_000_000,
        fees: [],
        goldValuation: {
          value: 27_625_000,
          purityKarat: '22',
          netWeightGrams: '42.5',
          pricePerGram: 650_000,
          ltvPercent: '3.62',
          explanation: '42.5 g of 22 karat at ₹6,500 a gram',
        },
        validUntil: new Date(callbacks.journeys.service.now().getTime() + 30 * DAY).toISOString(),
      },
    };
    const { status } = await callbacks.lender.tell('offer-revisions', body);
    expect(status).toBe(202);
  }

  it('tells of the choice, the branch and the revision, in that order, also after an erasure', async () => {
    const { journeys } = bench.callbacks;
    const setRemote = (remote: object | null) =>
      journeys.configure(`UPDATE lenders SET remote = $1 WHERE code = 'navdhara'`, [remote]);
    // The simulated lender answers in the place of the one that tells us things, and values no gold itself.
    await setRemote(null);
    const journey = await journeys.startWithOffers({ productCode: 'ONLINE_GOLD' });
    await journey.goOnTo('BANK_ACCOUNT_PENDING');
    await setRemote(bench.callbacks.lender.remote);
    await revise(journey);
    await journey.reaches('OFFERS_RECEIVED');
    await journeys.settled();
    const file = await exported('--journey', journey.id);
    expectInOrder(file, [
      'The journey began.',
      /^The partner attests that /,
      /^The lender navdhara answered which offers it makes \(answer .+\)\.$/,
      /^Lenders made offers: the journey went from INITIATED to OFFERS_RECEIVED\.$/,
      /^Offers were shown to the partner by the API, in the order of the published metric/,
      /^The applicant chose an offer, off_\w+, ₹[\d,]+ for \d+ months, APR \d+\.\d\d%: the journey went from OFFERS_RECEIVED to /,
      /^The applicant chose a branch: /,
      /^The applicant acknowledged the Key Facts Statement\.$/,
      /^The applicant’s identity was verified \(KYC\): /,
      /^The lender navdhara told of a revised offer \(message message-[\w-]+\)\.$/,
      'The lender made another offer in the place of the chosen one: nothing of it is agreed to until it is chosen.',
      'The chosen offer was let go for another one: the journey went from BANK_ACCOUNT_PENDING to OFFERS_RECEIVED.',
    ]);
    expectInOrder(file, [/^Acknowledged by the applicant by a return that stands for a visit, /]);
    expect(await journey.flags()).toEqual([]);
    const names = file.exhibits.map(({ name }) => name);
    expect(names).toContainEqual(expect.stringMatching(/^statement off_\w+\.json$/));
    expect(names).toContainEqual(
      expect.stringMatching(/^OFFER_REVISION message-[\w-]+ of navdhara\.json$/),
    );
    const personal = [...SAID, 'necklace', '9876543210'];
    expect(mentioned(personal, file)).toEqual([]);
    const after = await erased('--journey', journey.id);
    expectInOrder(after, ['The applicant’s personal data was erased.']);
    expect(mentioned(personal, after)).toEqual([]);
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
    // What the flag asks for is in the documents that were withheld, and in nothing else.
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
