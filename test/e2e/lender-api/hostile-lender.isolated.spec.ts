// Isolated: its configuration has a lender outside the process.
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderLanes } from '../../../src/lender-api/index.js';
import {
  errorBody,
  type GivenAnswer,
  type GotQuestion,
  testKey,
} from '../../support/small-lender.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';
import { DAY } from '../journeys/journey-bench.js';
import { readPdf } from '../key-facts/read-pdf.js';
import { LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => RemoteLenderBench.open());

/** Resets the failures that a breaker counted. */
function closeBreakers(): void {
  (Reflect.get(bench.service.get(LenderLanes), 'lanes') as Map<string, unknown>).clear();
}

// A breaker that one test opened must not stop the calls of the next.
afterEach(() => {
  vi.restoreAllMocks();
  bench.lender.questions.length = 0;
  closeBreakers();
});

const DECLINED = { answerId: 'answer-1', verdict: 'DECLINED', reason: 'POLICY' };

function ask() {
  return bench.gateway.ask({
    lenderCode: LENDER,
    kind: 'OFFERS',
    partnerId: 'demo',
    subjectId: 'jrn_1',
    reference: '1',
    attemptsBefore: 0,
    askedAt: new Date(),
    payload: PAYLOAD,
  });
}

const signedAs = { key: testKey('small-1') };
const written = (write: GivenAnswer['write']): GivenAnswer => ({ write });

describe('an answer is unknown', () => {
  it.each<[string, string, GivenAnswer]>([
    ['signature_refused', 'without a signature', { body: DECLINED, isUnsigned: true }],
    ['signature_refused', 'signed for no request', { body: DECLINED, isUnbound: true }],
    ['signature_refused', 'signed with another key of the name', { body: DECLINED, signedAs }],
    ['error_status', 'of 500, signed for no request', { status: 500, isUnbound: true }],
    [
      'too_large',
      'that is endless',
      written((response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, ' ')));
        };
        response.on('drain', more);
        more();
      }),
    ],
    [
      'redirect',
      'that leads elsewhere',
      { status: 307, body: {}, headers: { location: 'http://127.0.0.1:1/' } },
    ],
    ['unreachable', 'that is no HTTP', written((response) => response.socket?.end('SSH-2.0\r\n'))],
  ])('%s: %s', async (failure, _, given) => {
    bench.lender.answer(() => given);
    await expect(ask()).rejects.toMatchObject({ name: 'LenderCallFailed', failure });
  });
});

it('a lender that fails eight times in a row is left alone', async () => {
  bench.lender.answer(() => ({ status: 500, body: errorBody('internal_error') }));
  for (let call = 0; call < 8; call += 1) await expect(ask()).rejects.toThrow('answered 500');
  await expect(ask()).rejects.toMatchObject({ failure: 'breaker_open', isSuspended: true });
  expect(bench.lender.questions).toHaveLength(8);
});

describe('what a hostile lender writes', { timeout: TEST_MS }, () => {
  /** Markup, template tags, quotes, and characters that none of our fonts has. */
  const MARKUP = `"><script>alert(1)</script><img src=x onerror='alert(1)'> {{7*7}} & 😀漢字ﷺ`;
  const LONG = 'W'.repeat(200);
  const BRANCH = { latitude: 12.97, longitude: 77.59 };
  const REQUEST = { productCode: 'ONLINE_GOLD', loanAmount: 10_000 };

  beforeAll(async () => {
    await bench.query(`UPDATE lenders SET is_enabled = code = $1`, [LENDER]);
    await bench.query('UPDATE configuration SET revision = revision + 1');
    await bench.service.travel(1_001);
    bench.lender.answer(answerTo);
  });

  /** ₹10,000 for a year at 12 percent against gold, with hostile text in every field. */
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
      contingentCharges: [{ name: MARKUP, description: MARKUP }],
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

  function expectHarmless(html: string): void {
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    for (const live of ['<script>alert', '<img src=x', '49 &amp;']) {
      expect(html).not.toContain(live);
    }
  }

  it('is text on every page and in the PDF, and in no flag or failure', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service, REQUEST);
    const { client } = journey;
    const [{ offerId, kfsUrl }] = (await journey.view()).offers;
    const statement = new URL(kfsUrl, bench.service.baseUrl);
    for (const path of [
      '/hosted/offers',
      `/hosted/offers/${offerId}/confirm?amount=10000`,
      statement.pathname,
    ]) {
      const { status, text } = await client.open(path);
      expect([path, status]).toEqual([path, 200]);
      expectHarmless(text);
    }
    const page = await fetch(statement);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const pdf = await fetch(`${statement.href}.pdf?lang=en`);
    const { pages } = readPdf(Buffer.from(await pdf.arrayBuffer()));
    const drawn = pages.flat().join(' ').replaceAll(/\s+/g, ' ');
    expect(drawn).toContain('<script>alert(1)</script>');
    await journey.driveTo('OFFER_SELECTED');
    const branch = await client.open('/hosted/branch');
    expect(branch.status).toBe(200);
    expectHarmless(branch.text);
    const flags = await bench.query('SELECT detail FROM operator_flags');
    const questions = await bench.query('SELECT last_failure FROM lender_questions');
    expect(JSON.stringify([flags, questions])).not.toContain('<script');
  });
});
