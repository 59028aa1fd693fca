import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SmsOutbox } from '../../../src/messaging/index.js';
import { LenderGateway, LenderUnavailable, QuestionOutbox } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import { applyForInstantLoan, instantLoanRequest } from '../../support/instant-loans.js';
import { configure } from '../../support/kept-configuration.js';
import { partnerClient } from '../../support/partner-client.js';
import { issueKey } from '../auth/auth-harness.js';
import { InstantLoanBench, PATIENT } from './instant-loan-bench.js';

let bench: InstantLoanBench;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
});

afterAll(() => bench?.close());

async function countRows(): Promise<Record<string, string>> {
  const [row] = await bench.records.query<Record<string, string>>(
    `SELECT (SELECT count(*) FROM instant_loans WHERE partner_id = $1) AS loans,
       (SELECT count(*) FROM applications WHERE partner_id = $1) AS applications,
       (SELECT count(*) FROM lender_questions WHERE partner_id = $1) AS questions,
       (SELECT count(*) FROM payment_orders WHERE partner_id = $1) AS orders,
       (SELECT count(*) FROM sms_messages WHERE partner_id = $1) AS messages,
       (SELECT count(*) FROM instant_loan_audit
        WHERE partner_id = $1 AND trigger = 'APPLIED') AS audits`,
    [bench.service.partnerId],
  );
  return row;
}

describe('200: an application', () => {
  it('is written whole: its lead, the questions to its lenders, its SMS and audit', async () => {
    const before = await countRows();
    const { status, json } = await applyForInstantLoan(bench.demo, { loanAmount: 30_000 });
    expect(status).toBe(200);
    const { applicationId } = json.data;
    const after = await countRows();
    const written = Object.keys(before).map((name) => [
      name,
      Number(after[name]) - Number(before[name]),
    ]);
    // Nobody knows yet what is to be paid, and to whom.
    expect(Object.fromEntries(written)).toEqual({
      loans: 1,
      applications: 1,
      questions: 3,
      orders: 0,
      messages: 1,
      audits: 1,
    });
    const { json: lead } = await bench.demo.get<{ leads: object[] }>('/leads?limit=1');
    expect(lead.data.leads[0]).toMatchObject({
      applicationId,
      loanType: 'ONLINE_INSTANT',
      loanAmount: 30_000,
      loanAmountSource: 'PARTNER',
      status: 'PAYMENT_PENDING',
    });
  });

  it('is for the product’s default amount when none is given', async () => {
    const { applicationId } = await bench.apply();
    expect(await bench.row(applicationId)).toMatchObject({ loan_amount: 2_500_000 });
  });

  it('keeps no data of the applicant in the clear', async () => {
    const mobile = newMobile();
    const { applicationId } = await bench.order({ mobile, pan: 'QWERT1234Z' });
    const tables = [
      'instant_loans',
      'instant_loan_audit',
      'instant_offers',
      'payment_orders',
      'sms_messages',
    ];
    for (const table of tables) {
      const rows = await bench.records.query(`SELECT t::text FROM ${table} t`);
      const text = JSON.stringify(rows);
      expect([table, text.includes(mobile), text.includes('QWERT1234Z')]).toEqual([
        table,
        false,
        false,
      ]);
    }
    expect((await bench.row(applicationId)).applicant_sealed).toMatch(/^v1:test:/);
  });

  it('is served without the /api prefix, too', async () => {
    const { status, json } = await bench.demo.request('POST', '/v1/partner/instant-loans', {
      body: instantLoanRequest(),
    });
    expect([status, json.success]).toEqual([200, true]);
  });

  it('waits for no lender', async () => {
    let letGo: (error: Error) => void = () => undefined;
    const held = new Promise<never>((_, reject) => (letGo = reject));
    // Whoever waits for a lender now waits until this test lets go.
    const gateway = bench.service.get<LenderGateway>(LenderGateway);
    const stuck = vi.spyOn(gateway, 'ask').mockReturnValue(held);
    const { status, json } = await applyForInstantLoan(bench.demo);
    expect(status).toBe(200);
    await eventually(() => expect(stuck).toHaveBeenCalled(), PATIENT);
    stuck.mockRestore();
    letGo(new LenderUnavailable('the test lets go'));
    await bench.isOffered(json.data.applicationId);
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
    expect(json).toMatchObject({
      success: false,
      error: 'Validation failed',
      code: 'validation_failed',
    });
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
    await configure(
      bench.service,
      `UPDATE lenders SET terms = jsonb_set(terms::jsonb,
         '{products,ONLINE_INSTANT,maximumAmount}', '5000000')
       WHERE terms::jsonb #> '{products,ONLINE_INSTANT}' IS NOT NULL`,
    );
    try {
      const { status, json } = await applyForInstantLoan(bench.demo, { loanAmount: 60_000 });
      expect([status, json.details]).toEqual([
        400,
        [
          {
            field: 'loanAmount',
            message: 'must be an amount that one of the lenders lends: none does this one',
          },
        ],
      ]);
      expect((await applyForInstantLoan(bench.demo, { loanAmount: 50_000 })).status).toBe(200);
    } finally {
      await configure(
        bench.service,
        `UPDATE lenders SET terms = jsonb_set(terms::jsonb,
           '{products,ONLINE_INSTANT,maximumAmount}', '1000000000')
         WHERE terms::jsonb #> '{products,ONLINE_INSTANT}' IS NOT NULL`,
      );
    }
  });

  it.each(['{', '[]', '"text"'])('refuses what is not a JSON object: %s', async (body) => {
    const { status, json } = await bench.demo.post('/instant-loans', body);
    expect([status, json.code]).toEqual([400, 'malformed_json']);
  });
});

describe('401, 403 and 404', () => {
  it('a wrong signature is a 401', async () => {
    const { status } = await bench.demo.post('/instant-loans', instantLoanRequest(), {
      overrides: { signature: '0'.repeat(64) },
    });
    expect(status).toBe(401);
  });

  it('a key without the scope is a 403', async () => {
    const limited = partnerClient(bench.service, { partner: 'limited' });
    const { status, json } = await applyForInstantLoan(limited);
    expect([status, json.code]).toEqual([403, 'scope_missing']);
  });

  it('a key without the product is a 403, after the body has been looked at', async () => {
    const { client } = await issueKey(bench.service, { products: ['ONLINE_PERSONAL'] });
    const refused = await applyForInstantLoan(client);
    expect([refused.status, refused.json.code]).toEqual([403, 'product_not_assigned']);
    const bad = await client.post('/instant-loans', { mobile: '1' });
    expect(bad.status).toBe(400);
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

  it('another partner’s application is a 404 to read', async () => {
    const { applicationId } = await bench.apply();
    const other = partnerClient(bench.service, { partner: 'limited' });
    expect((await other.get(`/leads/${applicationId}/status`)).status).toBe(404);
  });
});

describe('500: something went wrong half way', () => {
  it.each([
    ['the questions', () => vi.spyOn(bench.service.get<QuestionOutbox>(QuestionOutbox), 'putAll')],
    ['the SMS', () => vi.spyOn(bench.service.get<SmsOutbox>(SmsOutbox), 'put')],
  ])('leaves nothing behind when %s cannot be written', async (_, spy) => {
    const before = await countRows();
    const failing = spy().mockRejectedValueOnce(new Error('the disk is full'));
    const { status, json } = await applyForInstantLoan(bench.demo);
    failing.mockRestore();
    expect([status, json.code]).toEqual([500, 'internal_error']);
    expect(await countRows()).toEqual(before);
  });
});
