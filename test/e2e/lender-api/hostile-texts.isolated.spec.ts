// Isolated: its configuration has a lender outside the process.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../journeys/journey-bench.js';
import { type ReadPdf, readPdf } from '../key-facts/read-pdf.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';
import { eventually } from '../../support/eventually.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import type { GivenAnswer, GotQuestion } from '../../support/small-lender.js';
import { LENDER, RemoteLenderBench } from './remote-lender-bench.js';

/** What a lender may write: markup, a template's marks, quotes, and what no font of ours has. */
const MARKUP = `"><script>alert(1)</script><img src=x onerror='alert(1)'> {{7*7}} & 😀漢字ﷺ`;
const LONG = 'W'.repeat(200);
const BRANCH = { latitude: 12.97, longitude: 77.59 };

let bench: RemoteLenderBench;

beforeAll(async () => {
  bench = await RemoteLenderBench.open();
  await bench.query(`UPDATE lenders SET is_enabled = code = $1`, [LENDER]);
  await bench.query('UPDATE configuration SET revision = revision + 1');
  await bench.service.travel(1_001);
  bench.lender.answer(answerTo);
});

afterAll(() => bench?.close());

/** ₹10,000 for a year at 12 percent against gold, every text of it hostile. */
function offer(): object {
  return {
    reference: 'OFFER-1',
    principal: 1_000_000,
    minimumAmount: 1_000_000,
    tenureMonths: 12,
    rate: { kind: 'FIXED', annualPercent: '12' },
    repayment: { kind: 'EMI', instalment: 88_800 },
    apr: '12.00',
    netPayout: 1_000_000,
    fees: [
      { name: MARKUP, payee: 'LENDER', amount: 0, due: 'AT_PAYOUT' },
      { name: LONG, payee: 'THIRD_PARTY', amount: 0, due: 'AT_PAYOUT' },
    ],
    contingentCharges: [
      { name: MARKUP, description: MARKUP },
      { name: LONG, description: LONG },
    ],
    validUntil: new Date(bench.service.now().getTime() + 20 * DAY).toISOString(),
    coLender: { name: MARKUP, sharePercent: '50' },
    goldValuation: {
      value: 25_500_000,
      purityKarat: '22',
      netWeightGrams: '42.5',
      pricePerGram: 600_000,
      ltvPercent: '3.92',
      explanation: MARKUP,
    },
    branches: [
      { reference: 'branch-1', name: MARKUP, address: MARKUP, ...BRANCH },
      { reference: 'branch-2', name: LONG, address: LONG, ...BRANCH },
    ],
  };
}

function answerTo({ path }: GotQuestion): GivenAnswer {
  const answerId = `answer-${path.slice(1)}`;
  switch (path) {
    case '/offers':
      return { body: { answerId, verdict: 'OFFERED', offers: [offer()] } };
    case '/quotes':
      return { body: { answerId, verdict: 'QUOTED', offer: offer() } };
    case '/selections':
      return { body: { answerId, verdict: 'ACCEPTED', applicationReference: 'A-1' } };
    default:
      return { status: 202, body: { askAgainAfterSeconds: 60 } };
  }
}

const REQUEST = { productCode: 'ONLINE_GOLD', loanAmount: 10_000 };

function expectHarmless(html: string): void {
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('<img src=x');
  expect(html).not.toContain('49 &amp;');
}

async function pdfOf(link: string): Promise<ReadPdf> {
  const response = await fetch(`${link}.pdf?lang=en`);
  expect(response.status).toBe(200);
  return readPdf(Buffer.from(await response.arrayBuffer()));
}

describe('what a hostile lender writes', { timeout: TEST_MS }, () => {
  it('is text in the partner’s API, on the statement’s page and in its PDF', async () => {
    const demo = partnerClient(bench.service);
    const { json } = await demo.initiate(loanRequest(REQUEST));
    const { journeyId, journeySession } = json.data;
    const { offers } = await eventually(
      async () => {
        const { data } = (await demo.journey(journeyId, journeySession)).json;
        if (data.offers.length === 0) throw new Error('no offers yet');
        return data;
      },
      { withinMs: 15_000 },
    );
    const answer = await demo.journey(journeyId, journeySession);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    // oxlint-disable-next-line no-control-regex -- it is what is looked for.
    expect(JSON.stringify(answer.json)).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
    const { kfsLink } = offers[0];
    const page = await fetch(kfsLink);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expectHarmless(await page.text());
    const { pages } = await pdfOf(kfsLink);
    const drawn = pages.flat().join(' ').replaceAll(/\s+/g, ' ');
    expect(drawn).toContain('<script>alert(1)</script>');
  });

  it('is text on the applicant’s pages, from the comparison to the branch', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service, REQUEST);
    const { client } = journey;
    const [{ offerId, kfsUrl }] = (await journey.view()).offers;
    for (const path of [
      '/hosted/offers',
      `/hosted/offers/${offerId}/confirm?amount=10000`,
      new URL(kfsUrl, bench.service.baseUrl).pathname,
    ]) {
      const { status, text } = await client.open(path);
      expect([path, status]).toEqual([path, 200]);
      expectHarmless(text);
    }
    await journey.driveTo('OFFER_SELECTED');
    const branch = await client.open('/hosted/branch');
    expect(branch.status).toBe(200);
    expectHarmless(branch.text);
  });

  it('is not in what the operator is shown, nor in the log of calls', async () => {
    const flags = await bench.query<{ detail: object }>('SELECT detail FROM operator_flags');
    const questions = await bench.query('SELECT last_failure FROM lender_questions');
    expect(JSON.stringify([flags, questions])).not.toContain('script');
  });
});
