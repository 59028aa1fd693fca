// Isolated: its configuration has a lender outside the process.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configure } from '../../support/kept-configuration.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import { errorBody, type GivenAnswer, testKey } from '../../support/small-lender.js';
import { LENDER, RemoteLenderBench } from '../lender-api/remote-lender-bench.js';
import { ASKED, type Eligibility } from './asked.js';

let bench: RemoteLenderBench;

beforeAll(async () => {
  bench = await RemoteLenderBench.open();
  await configure(
    bench.service,
    `UPDATE lenders SET remote = remote || '{ "eligibility": true }' WHERE code = $1`,
    [LENDER],
  );
});

afterAll(() => bench?.close());

beforeEach(() => {
  bench.lender.questions.length = 0;
});

async function ask(answer: GivenAnswer, body: object = {}) {
  bench.lender.answer(() => answer);
  const client = partnerClient(bench.service);
  const { status, json } = await client.post<Eligibility>('/eligibility', { ...ASKED, ...body });
  expect([status, json.success]).toEqual([200, true]);
  return json.data;
}

async function lenderAfter(answer: GivenAnswer) {
  const { lenders } = await ask(answer);
  // The other lenders' rules do not depend on its response.
  expect(lenders.map(({ verdict }) => verdict).toSpliced(1, 1)).toEqual(['UNLIKELY', 'UNKNOWN']);
  const { lenderName: _, ...own } = { lenderName: '', ...lenders[1] };
  return own;
}

const verdict = (of: object): GivenAnswer => ({ body: { answerId: 'answer-1', ...of } });
const LIKELY = { verdict: 'LIKELY' };
const UNKNOWN = { lenderCode: LENDER, verdict: 'UNKNOWN' };

describe('a lender that says itself whether an offer is likely', () => {
  it('is asked once, signed, without anything that identifies the applicant', async () => {
    const personal = { pan: 'ABCDE1234F', mobile: '9876543210', fullName: 'Asha Verma' };
    const { eligibilityId } = await ask(verdict(LIKELY), personal);
    const [question, ...more] = bench.lender.questions;
    expect(more).toEqual([]);
    expect(question.refused).toBeUndefined();
    const questionId = `${eligibilityId}:ELIGIBILITY:1`;
    expect(question).toMatchObject({
      path: '/eligibilities',
      headers: { 'idempotency-key': questionId },
    });
    expect(question.body).toEqual({
      questionId,
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 200_000_00,
      pinCode: '110001',
      employmentType: 'SALARIED',
      monthlyIncome: 60_000_00,
    });
  });

  it('is believed with its ranges and reasons, instead of the rules of the configuration', async () => {
    const ranges = {
      amount: { min: 10_000_00, max: 150_000_00 },
      annualRatePercent: { min: '11.5', max: '24' },
      tenureMonths: { min: 6, max: 60 },
    };
    const reasons = ['AMOUNT', 'MOON_IN_CAPRICORN'];
    expect(await lenderAfter(verdict({ verdict: 'UNLIKELY', reasons, ...ranges }))).toEqual({
      lenderCode: LENDER,
      verdict: 'UNLIKELY',
      reasons: ['AMOUNT', 'OTHER'],
      amount: { min: 10_000, max: 150_000 },
      annualRate: { min: 11.5, max: 24 },
      tenure: { min: 6, max: 60 },
    });
  });

  it.each<[string, GivenAnswer]>([
    ['does not know', verdict({ verdict: 'UNKNOWN' })],
    ['knows later', { status: 202, body: { askAgainAfterSeconds: 1 } }],
    ['uses another word', verdict({ verdict: 'PROBABLY' })],
    ['gives no reason', verdict({ verdict: 'UNLIKELY', reasons: [] })],
    [
      'gives reasons without end',
      verdict({ verdict: 'UNLIKELY', reasons: Array(11).fill('INCOME') }),
    ],
    ['turns a range round', verdict({ ...LIKELY, amount: { min: 300_000_00, max: 100_00 } })],
    ['turns tenures round', verdict({ ...LIKELY, tenureMonths: { min: 9, max: 8 } })],
    ['turns rates round', verdict({ ...LIKELY, annualRatePercent: { min: '10', max: '9.5' } })],
    ['contradicts itself', verdict({ ...LIKELY, amount: { min: 1, max: 199_999_99 } })],
    ['names half a paisa', verdict({ ...LIKELY, amount: { min: 0.5, max: 300_000_00 } })],
    ['names an endless tenure', verdict({ ...LIKELY, tenureMonths: { min: 1, max: 601 } })],
    ['names a rate above 100', verdict({ ...LIKELY, annualRatePercent: { min: '1', max: '101' } })],
    ['writes a rate as a number', verdict({ ...LIKELY, annualRatePercent: { min: 9, max: 10 } })],
    ['writes null', verdict({ ...LIKELY, amount: null })],
    ['sets a prototype', { body: '{"__proto__":{"answerId":"a","verdict":"LIKELY"}}' }],
    ['is not JSON', { body: '<h1>busy</h1>' }],
    ['is too long', { body: `"${'x'.repeat(300 * 1024)}"` }],
    ['signs with another key', { ...verdict(LIKELY), signedAs: { key: testKey('small-1') } }],
    ['does not sign', { ...verdict(LIKELY), isUnsigned: true }],
    ['signs for another question', { ...verdict(LIKELY), isUnbound: true }],
    ['refuses', { status: 409, body: errorBody('key_reused') }],
  ])('is UNKNOWN, and not asked again, when it %s', async (_, answer) => {
    expect(await lenderAfter(answer)).toEqual(UNKNOWN);
    expect(bench.lender.questions).toHaveLength(1);
  });

  it('is not asked for a while after eight failures, and still asked for offers', async () => {
    for (let call = 0; call < 8; call += 1)
      await ask({ status: 500, body: errorBody('internal_error') });
    bench.lender.questions.length = 0;
    expect(await lenderAfter(verdict(LIKELY))).toEqual(UNKNOWN);
    expect(bench.lender.questions).toEqual([]);
    bench.lender.answer(() => verdict({ verdict: 'DECLINED', reason: 'POLICY' }));
    await partnerClient(bench.service).initiate(loanRequest());
    await expect.poll(() => bench.lender.questions.map(({ path }) => path)).toEqual(['/offers']);
  });
});
