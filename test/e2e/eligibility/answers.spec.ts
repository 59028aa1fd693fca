import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditVerification } from '../../../src/audit/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { partnerClient } from '../../support/partner-client.js';
import { journeyBench, refusal } from '../journeys/journey-bench.js';
import { ASKED, type Eligibility } from './asked.js';

const bench = journeyBench();

const ask = (body: object = {}) =>
  bench.demo.post<Eligibility>('/eligibility', { ...ASKED, ...body });
const verdictsOf = ({ lenders }: Eligibility) =>
  lenders.map(({ lenderCode, verdict, reasons }) => [lenderCode, verdict, reasons]);

describe('POST /eligibility', () => {
  it('answers with every lender of the product, by code, as each one’s published rules say', async () => {
    const { status, json } = await ask();
    expect(status).toBe(200);
    expect(json.data).toEqual({
      eligibilityId: expect.stringMatching(/^elg_[0-9a-f]{32}$/) as string,
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 200_000,
      lenders: [
        {
          lenderCode: 'kaverisetu',
          lenderName: 'Kaverisetu Finserv Private Limited',
          verdict: 'UNLIKELY',
          reasons: ['LOCATION'],
          amount: { min: 1_000, max: 10_000_000 },
          annualRate: { min: 12.75, max: 12.75 },
          tenure: { min: 48, max: 48 },
        },
        {
          lenderCode: 'navdhara',
          lenderName: 'Navdhara Capital Limited',
          verdict: 'LIKELY',
          amount: { min: 1_000, max: 1_200_000 },
          annualRate: { min: 11.49, max: 11.49 },
          tenure: { min: 36, max: 36 },
        },
        {
          lenderCode: 'tarangudyam',
          lenderName: 'Tarang Udyam Finance Limited',
          verdict: 'UNKNOWN',
        },
      ],
    });
  });

  it('counts a twelfth of the annual income as the income of a month', async () => {
    const { json } = await ask({
      monthlyIncome: undefined,
      annualIncome: 180_000,
      pinCode: '560001',
    });
    expect(verdictsOf(json.data)).toEqual([
      ['kaverisetu', 'UNLIKELY', ['INCOME']],
      ['navdhara', 'LIKELY', undefined],
      ['tarangudyam', 'UNKNOWN', undefined],
    ]);
    const less = await ask({ monthlyIncome: undefined, annualIncome: 179_999.99 });
    expect(verdictsOf(less.json.data)[1]).toEqual(['navdhara', 'UNLIKELY', ['INCOME']]);
    const both = await ask({ monthlyIncome: 15_000, annualIncome: 1 });
    expect(verdictsOf(both.json.data)[1]).toEqual(['navdhara', 'LIKELY', undefined]);
  });

  it('names no lender that is disabled, and every other one of the product', async () => {
    await bench.configure(`UPDATE lenders SET is_enabled = code <> 'navdhara'`);
    const { json } = await ask();
    await bench.configure('UPDATE lenders SET is_enabled = true');
    expect(json.data.lenders.map(({ lenderCode }) => lenderCode)).toEqual([
      'kaverisetu',
      'tarangudyam',
    ]);
  });

  it('is 400 and names every bad field', async () => {
    const { status, json } = await bench.demo.post('/eligibility', {
      productCode: 'OFFLINE_LAP',
      loanAmount: -1,
      pinCode: '56000',
      employmentType: 'retired',
    });
    expect([status, json.details?.map(({ field }) => field).toSorted()]).toEqual([
      400,
      ['employmentType', 'loanAmount', 'monthlyIncome', 'pinCode', 'productCode'],
    ]);
    const small = await ask({ loanAmount: 999 });
    expect(small.json.details?.map(({ field }) => field)).toEqual(['loanAmount']);
  });

  it('is 403 for a product that the key does not have, and 404 for one that is switched off', async () => {
    const limited = partnerClient(bench.service, { partner: 'limited' });
    const asked = { ...ASKED, productCode: 'ONLINE_SHORT_TERM' };
    const refused = refusal(await limited.post('/eligibility', asked));
    expect(refused).toEqual([403, 'product_not_assigned']);
    await bench.configure(
      `UPDATE products SET is_enabled = false WHERE code = 'ONLINE_SHORT_TERM'`,
    );
    const off = refusal(await bench.demo.post('/eligibility', asked));
    await bench.configure(`UPDATE products SET is_enabled = true WHERE code = 'ONLINE_SHORT_TERM'`);
    expect(off).toEqual([404, 'product_unavailable']);
  });
});

describe('what was shown', () => {
  interface Row {
    readonly subjectId: string;
    readonly kind: string;
    readonly place: string;
    readonly metric: string;
    readonly content: string;
    readonly contentHash: string;
  }
  const rowsOf = (subjectId: string) =>
    bench.query<Row>(
      `SELECT subject_id AS "subjectId", kind, place, metric, content, content_hash AS "contentHash"
       FROM offer_presentations WHERE subject_id = $1`,
      [subjectId],
    );

  it('is recorded like a presentation and joins its own chain of the audit, without the applicant’s details', async () => {
    const personal = { pan: 'ABCDE1234F', mobile: '9876543210', fullName: 'Asha Verma' };
    const { json } = await ask({ ...personal, pinCode: '695014', monthlyIncome: 61_234.56 });
    const id = json.data.eligibilityId;
    const [row, ...more] = await rowsOf(id);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ kind: 'SHOWN', place: 'API', metric: 'CODE_ASC/1' });
    expect(row.contentHash).toBe(createHash('sha256').update(row.content).digest('hex'));
    expect(JSON.parse(row.content)).toMatchObject({
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 200_000_00,
      lenders: [
        { lenderCode: 'kaverisetu', verdict: 'LIKELY' },
        { lenderCode: 'navdhara', verdict: 'LIKELY', annualRatePercent: { min: 11.49 } },
        { lenderCode: 'tarangudyam', verdict: 'UNKNOWN' },
      ],
      lendersNotAsked: [],
    });
    // The last two are 20 monthly incomes, navdhara's limit.
    const income = ['61234', '6123456', '1224691', '122469120'];
    for (const detail of [...Object.values(personal), '695014', 'salaried', ...income]) {
      expect(row.content).not.toContain(detail);
    }
    const audit = bench.service.get<AuditVerification>(AuditVerification);
    expect(await audit.verifySubject(id)).toMatchObject({ entries: 1, unknown: 0, faults: [] });
  });

  it('is exported for an auditor by the id of the answer', async () => {
    const { eligibilityId: id } = (await ask()).json.data;
    const folder = mkdtempSync(join(tmpdir(), 'rinpath-eligibility-'));
    const file = join(folder, 'exported.json');
    const about = ['audit', 'export', '--journey', id, '--out', file];
    const { code, error } = await runAdmin(bench.service.databaseUrl, ...about);
    const { exhibits } = JSON.parse(readFileSync(file, 'utf8')) as { exhibits: { name: string }[] };
    rmSync(folder, { recursive: true });
    expect([code, error, exhibits.map(({ name }) => name)]).toEqual([
      0,
      '',
      [expect.stringMatching(/^offers shown prs_/)],
    ]);
    const noted =
      'SELECT subject_id AS subject, parameters FROM operator_commands ORDER BY id DESC';
    expect(await bench.query(`${noted} LIMIT 1`)).toMatchObject([
      { subject: id, parameters: { journey: id } },
    ]);
  });

  it('is recorded for each call, also for the same question', async () => {
    const answers = await Promise.all([ask(), ask()]);
    const ids = answers.map(({ json }) => json.data.eligibilityId);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(await rowsOf(id)).toHaveLength(1);
  });
});

describe('a journey after eligibility calls', () => {
  const anyone = fc.record({
    loanAmount: fc.integer({ min: 1_000, max: 10_000_000 }),
    pinCode: fc.stringMatching(/^[1-9]\d{5}$/),
    employmentType: fc.constantFrom('salaried', 'selfEmployed'),
    monthlyIncome: fc.integer({ min: 1, max: 500_000 }),
  });
  const applicants = fc.record({
    loanAmount: fc.integer({ min: 50_000, max: 500_000 }),
    customer: fc.record({
      pinCode: fc.constantFrom('560001', '110001'),
      employmentType: fc.constantFrom('salaried', 'selfEmployed'),
      monthlyIncome: fc.integer({ min: 1_000, max: 100_000 }),
    }),
  });
  const shownTo = async (options: object) => {
    const journey = await bench.startWithOffers(options);
    const { offers, lendersWithoutOffer } = await journey.read();
    return {
      offers: offers.map(({ offerId: _id, kfsLink: _link, validUntil: _until, ...offer }) => offer),
      lendersWithoutOffer,
    };
  };

  it('gets the same offers as without them, whatever they said', async () => {
    await fc.assert(
      fc.asyncProperty(
        applicants,
        fc.array(anyone, { minLength: 1, maxLength: 8 }),
        async (options, history) => {
          const without = await shownTo(options);
          const { loanAmount, customer } = options;
          for (const asked of [...history, { loanAmount, ...customer }]) {
            expect((await ask(asked)).status).toBe(200);
          }
          const after = await shownTo(options);
          expect(after).toEqual(without);
          expect(after.offers).toHaveLength(3);
        },
      ),
      { seed: 495, numRuns: 6 },
    );
  });
});
