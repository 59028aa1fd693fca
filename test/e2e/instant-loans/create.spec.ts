import { describe, expect, it, vi } from 'vitest';
import { InstantLoansRepository } from '../../../src/instant-loans/store/instant-loans.repository.js';
import { LenderGateway, LenderUnavailable } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import {
  applyForInstantLoan,
  type CreatedInstantLoan,
  instantLoanRequest,
} from '../../support/instant-loans.js';
import { configure } from '../../support/kept-configuration.js';
import { issueKey } from '../auth/auth-harness.js';
import { InstantLoanBench, PATIENT } from './instant-loan-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => InstantLoanBench.open());

const TABLES = [
  'instant_loans',
  'journeys',
  'applications',
  'lender_questions',
  'payment_orders',
  'sms_messages',
  'journey_audit',
] as const;

async function countRows(): Promise<number[]> {
  const counts = TABLES.map(async (table) => {
    const [row] = await bench.records.query<{ count: number }>(
      // Lenders' answers to earlier loans still add audit rows.
      `SELECT count(${table === 'journey_audit' ? 'DISTINCT journey_id' : '*'})::int AS count
       FROM ${table} WHERE partner_id = $1`,
      [bench.service.partnerId],
    );
    return row.count;
  });
  return Promise.all(counts);
}

describe('200: an application', () => {
  it('is written whole, and waits for no lender: its lead, the questions to its lenders, its SMS in the language that is accepted, and audit', async () => {
    const held = Promise.withResolvers<never>();
    const gateway = bench.service.get<LenderGateway>(LenderGateway);
    const stuck = vi.spyOn(gateway, 'ask').mockReturnValue(held.promise);
    const before = await countRows();
    const headers = { 'accept-language': 'ta-IN, hi;q=0.8, en;q=0.7' };
    const { status, json } = await bench.demo.post<CreatedInstantLoan>(
      '/instant-loans',
      instantLoanRequest(),
      { headers },
    );
    expect(status).toBe(200);
    const { applicationId, journeyId } = json.data;
    const language = 'SELECT language FROM sms_messages WHERE subject_id = $1';
    expect(await bench.records.query(language, [journeyId])).toEqual([{ language: 'hi' }]);
    await eventually(() => expect(stuck).toHaveBeenCalled(), PATIENT);
    const after = await countRows();
    expect(after.map((count, index) => count - before[index])).toEqual([1, 1, 1, 3, 0, 1, 1]);
    stuck.mockRestore();
    held.reject(new LenderUnavailable('the test goes on'));
    await bench.isOffered(applicationId);
  });

  it('keeps no data of the applicant in the clear; its amount is the product’s default', async () => {
    const mobile = newMobile();
    const { applicationId } = await bench.order({ mobile, pan: 'QWERT1234Z' });
    expect(await bench.row(applicationId)).toMatchObject({ loan_amount: 2_500_000 });
    for (const table of [...TABLES, 'journey_offers', 'journey_fees', 'key_facts_statements']) {
      const text = JSON.stringify(await bench.records.query(`SELECT t::text FROM ${table} t`));
      expect([table, text.includes(mobile), text.includes('QWERT1234Z')]).toEqual([
        table,
        false,
        false,
      ]);
    }
  });
});

describe('400: a body that breaks a rule', () => {
  it('names every bad field, and nothing is written', async () => {
    const before = await countRows();
    const customer = { pan: 'x', firstName: undefined, pinCode: '1' };
    const { status, json } = await bench.demo.post('/instant-loans', {
      ...instantLoanRequest({ customer, loanAmount: 1 }),
      mobile: '12',
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: 'Validation failed', code: 'validation_failed' });
    expect(json.details.map(({ field }) => field).toSorted()).toEqual([
      'customer.firstName',
      'customer.pan',
      'customer.pinCode',
      'loanAmount',
      'mobile',
    ]);
    expect(await countRows()).toEqual(before);
  });

  it('names an amount that no lender lends, though the product has it', async () => {
    const setMaximum = (amount: string) =>
      configure(
        bench.service,
        `UPDATE lenders SET terms = jsonb_set(terms::jsonb,
           '{products,ONLINE_INSTANT,maximumAmount}', '${amount}')
         WHERE terms::jsonb #> '{products,ONLINE_INSTANT}' IS NOT NULL`,
      );
    await setMaximum('5000000');
    try {
      const { status, json } = await applyForInstantLoan(bench.demo, { loanAmount: 60_000 });
      const message = 'must be an amount that a lender offers; no lender offers this amount';
      expect([status, json.details]).toEqual([400, [{ field: 'loanAmount', message }]]);
      expect((await applyForInstantLoan(bench.demo, { loanAmount: 50_000 })).status).toBe(200);
    } finally {
      await setMaximum('1000000000');
    }
  });
});

describe('403 and 404', () => {
  it('a key without the product is a 403, after the body is checked', async () => {
    const { client } = await issueKey(bench.service, { products: ['ONLINE_PERSONAL'] });
    const refused = await applyForInstantLoan(client);
    expect([refused.status, refused.json.code]).toEqual([403, 'product_not_assigned']);
    expect((await client.post('/instant-loans', { mobile: '1' })).status).toBe(400);
  });

  it('a product that is switched off is a 404', async () => {
    const product = `UPDATE products SET is_enabled = $1 WHERE code = 'ONLINE_INSTANT'`;
    await configure(bench.service, product, [false]);
    try {
      const { status, json } = await applyForInstantLoan(bench.demo);
      expect([status, json.code]).toEqual([404, 'product_unavailable']);
    } finally {
      await configure(bench.service, product, [true]);
    }
  });
});

it('500: leaves nothing behind when its last row cannot be written', async () => {
  const before = await countRows();
  const loans = bench.service.get<InstantLoansRepository>(InstantLoansRepository);
  const insert = vi.spyOn(loans, 'insert').mockRejectedValueOnce(new Error('the disk is full'));
  const { status, json } = await applyForInstantLoan(bench.demo);
  insert.mockRestore();
  expect([status, json.code]).toEqual([500, 'internal_error']);
  expect(await countRows()).toEqual(before);
});
