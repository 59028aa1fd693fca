import { describe, expect, it, vi } from 'vitest';
import { QuestionOutbox } from '../../../src/lenders/index.js';
import { loanRequest } from '../../support/loan-requests.js';
import { journeyBench } from './journey-bench.js';

const bench = journeyBench();

/** Counts the rows that a start by this partner would add. Later changes of earlier journeys add none of these. */
async function countRows(): Promise<number[]> {
  const [row] = await bench.query<Record<string, string>>(
    `SELECT (SELECT count(*) FROM journeys WHERE partner_id = $1) AS journeys,
       (SELECT count(*) FROM applications WHERE partner_id = $1) AS applications,
       (SELECT count(*) FROM webhook_events
        WHERE partner_id = $1 AND name = 'journey.initiated') AS events,
       (SELECT count(*) FROM lender_questions
        WHERE partner_id = $1 AND kind = 'OFFERS' AND reference = '1') AS questions,
       (SELECT count(*) FROM hosted_links WHERE partner_id = $1) AS links,
       (SELECT count(*) FROM journey_audit WHERE partner_id = $1 AND trigger = 'STARTED') AS audits`,
    [bench.service.partnerId],
  );
  return Object.values(row).map(Number);
}

describe('400: a body that breaks a rule', () => {
  it('names every bad field, and nothing is written', async () => {
    const before = await countRows();
    const body = loanRequest({ customer: { pan: 'x', pinCode: '1', monthlyIncome: undefined } });
    const { status, json } = await bench.demo.initiate({ ...body, mobile: '12' });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      success: false,
      error: 'Validation failed',
      code: 'validation_failed',
    });
    expect(json.details.map(({ field }) => field).toSorted()).toEqual([
      'customer.monthlyIncome',
      'customer.pan',
      'customer.pinCode',
      'mobile',
    ]);
    expect(await countRows()).toEqual(before);
  });

  it('takes ₹1,000 and ₹1,00,00,000, at the end of the range, and refuses what is beyond it', async () => {
    for (const loanAmount of [1_000, 10_000_000]) {
      expect((await bench.demo.initiate(loanRequest({ loanAmount }))).status).toBe(200);
    }
    for (const loanAmount of [999.99, 10_000_000.01]) {
      const { status, json } = await bench.demo.initiate(loanRequest({ loanAmount }));
      expect(status).toBe(400);
      expect(json.details).toEqual([
        { field: 'loanAmount', message: 'must be from ₹1,000 to ₹1,00,00,000 for this product' },
      ]);
    }
  });
});

it('404: a product that the catalogue has switched off', async () => {
  const product = `UPDATE products SET is_enabled = $1 WHERE code = 'ONLINE_BUSINESS'`;
  await bench.configure(product, [false]);
  const body = loanRequest({ productCode: 'ONLINE_BUSINESS' });
  const { status, json } = await bench.demo.initiate(body);
  await bench.configure(product, [true]);
  expect([status, json.code]).toEqual([404, 'product_unavailable']);
});

it('500: leaves nothing behind when a lender’s question cannot be written', async () => {
  const before = await countRows();
  const failing = vi.spyOn(bench.service.get(QuestionOutbox), 'putAll');
  failing.mockRejectedValueOnce(new Error('the disk is full'));
  const { status, json } = await bench.demo.initiate(loanRequest());
  failing.mockRestore();
  expect([status, json.code]).toEqual([500, 'internal_error']);
  expect(await countRows()).toEqual(before);
});
