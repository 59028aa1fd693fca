// Isolated: its configuration has a remote lender.
import { gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderLanes } from '../../../src/lender-api/index.js';
import { eventually } from '../../support/eventually.js';
import {
  errorBody,
  type GivenAnswer,
  type GotQuestion,
  OFFER,
  testKey,
} from '../../support/small-lender.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';
import { DAY } from '../journeys/journey-bench.js';
import { readPdf } from '../key-facts/read-pdf.js';
import { LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';

let bench: RemoteLenderBench;

beforeAll(async () => {
  bench = await RemoteLenderBench.open();
});

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

afterAll(() => bench?.close());

const DECLINED = { answerId: 'answer-1', verdict: 'DECLINED', reason: 'POLICY' };

function ask(subjectId = 'jrn_1') {
  return bench.gateway.ask({
    lenderCode: LENDER,
    kind: 'OFFERS',
    partnerId: 'demo',
    subjectId,
    reference: '1',
    attemptsBefore: 0,
    askedAt: new Date(),
    payload: PAYLOAD,
  });
}

const metrics = async () => (await fetch(`${bench.service.baseUrl}/metrics`)).text();

describe('a lender that signs wrongly', () => {
  it('is counted and flagged once that repeats, but not for an error that is signed for no request', async () => {
    bench.lender.answer(() => ({ status: 500, body: errorBody('x'), isUnbound: true }));
    for (let call = 0; call < 5; call += 1) {
      await expect(ask()).rejects.toMatchObject({ failure: 'error_status' });
    }
    const refused = `lender_signatures_refused_total{lender="${LENDER}"`;
    expect(await metrics()).not.toContain(refused);
    closeBreakers();
    bench.lender.answer(() => ({ body: DECLINED, signedAs: { key: testKey('small-1') } }));
    const flags = () =>
      bench.query(
        `SELECT subject_id, detail FROM operator_flags WHERE kind = 'LENDER_SIGNATURE_REFUSED'`,
      );
    const forged = () => expect(ask()).rejects.toThrow('does not match the body');
    for (let call = 0; call < 4; call += 1) await forged();
    expect(await flags()).toEqual([]);
    await forged();
    const detail = { lenderCode: LENDER, message: 'answer', problem: 'DOES_NOT_MATCH' };
    await eventually(async () => expect(await flags()).toEqual([{ subject_id: LENDER, detail }]));
    expect(await metrics()).toContain(`${refused},message="answer",problem="DOES_NOT_MATCH"} 5`);
  });
});

const written = (write: GivenAnswer['write']): GivenAnswer => ({ write });

describe('an answer is unknown', () => {
  it.each<[string, string, GivenAnswer]>([
    ['signature_refused', 'without a signature', { body: DECLINED, isUnsigned: true }],
    ['signature_refused', 'signed for no request', { body: DECLINED, isUnbound: true }],
    ['invalid_answer', 'that is no JSON', { body: '<h1>busy</h1>' }],
    ['invalid_answer', 'that is not UTF-8', { body: '\ud800' }],
    ['invalid_answer', 'nested without an end', { body: '['.repeat(100_000) }],
    ['invalid_answer', 'with a prototype', { body: `{"__proto__":${JSON.stringify(DECLINED)}}` }],
    ['invalid_answer', 'of another question', { body: { answerId: 'a', verdict: 'PAID' } }],
    ['too_large', 'of more than 256 KB', { body: `"${'x'.repeat(300 * 1024)}"` }],
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
      'compressed',
      'that is compressed',
      written((response) =>
        response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(10_000_000))),
      ),
    ],
    [
      'redirect',
      'that leads elsewhere',
      { status: 307, body: {}, headers: { location: 'http://127.0.0.1:1/' } },
    ],
    ['unreachable', 'that is no HTTP', written((response) => response.socket?.end('SSH-2.0\r\n'))],
    [
      'unreachable',
      'with headers without an end',
      written((response) => {
        response.socket?.write('HTTP/1.1 200 OK\r\n');
        response.socket?.write(`x: ${'y'.repeat(1_000)}\r\n`.repeat(500));
      }),
    ],
    ['error_status', 'of 500', { status: 500, body: errorBody('internal_error') }],
    ['error_status', 'of a balancer', { status: 502, body: '<h1>Bad</h1>', isUnsigned: true }],
    ['refused', 'of 409', { status: 409, body: errorBody('key_reused') }],
  ])('%s: %s', async (failure, _, given) => {
    bench.lender.answer(() => given);
    await expect(ask()).rejects.toMatchObject({ name: 'LenderCallFailed', failure });
  });

  it.each([
    ['in its own words', { status: 429, body: errorBody('too_many_requests') }, '90', 90_000],
    ['for hours', { status: 503, body: errorBody('unavailable') }, '999999', 21_600_000],
    ['by its balancer', { status: 503, body: 'busy', isUnsigned: true }, '3600', 60_000],
  ])('and asked for again when the lender says so %s', async (_, given, after, askAgainInMs) => {
    bench.lender.answer(() => ({ ...given, headers: { 'retry-after': after } }));
    await expect(ask()).rejects.toMatchObject({ failure: 'asked_to_wait', askAgainInMs });
  });
});

it('computes figures at the ends of their ranges in a moment', async () => {
  const absurd = {
    ...OFFER,
    principal: 1_000_000_000_000,
    minimumAmount: 1,
    tenureMonths: 480,
    rate: { kind: 'FIXED', annualPercent: '999.999999' },
    repayment: { kind: 'EMI', instalment: 1 },
    apr: '999.99',
    netPayout: 1,
    fees: Array.from({ length: 20 }, () => ({ ...OFFER.fees[0], amount: 1_000_000_000_000 })),
  };
  bench.lender.answer(() => ({ body: { answerId: 'a', verdict: 'OFFERED', offers: [absurd] } }));
  const startedAt = performance.now();
  await expect(ask()).resolves.toMatchObject({ status: 'ANSWERED' });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

describe('the breaker of a lender', () => {
  const session = () =>
    bench.gateway.openSession({
      lenderCode: LENDER,
      subjectId: 'jrn_1',
      idempotencyKey: 'rdr_1:1',
      payload: PAYLOAD,
      step: 'KYC',
      partnerId: 'demo',
      reference: 'rdr_1',
      returnUrl: 'https://partner.example/back',
    });

  it('opens after eight failures in a row, which an answer that breaks the protocol does not end', async () => {
    bench.lender.answer(({ path }) =>
      path === '/sessions'
        ? { body: { answerId: 'answer-2', verdict: 'PAID' } }
        : { status: 500, body: errorBody('internal_error') },
    );
    for (let call = 0; call < 7; call += 1) await expect(ask()).rejects.toThrow('answered 500');
    await expect(session()).rejects.toMatchObject({ failure: 'invalid_answer' });
    await expect(ask()).rejects.toThrow('answered 500');
    await expect(ask()).rejects.toMatchObject({ failure: 'breaker_open' });
    expect(bench.lender.questions).toHaveLength(9);
  });

  it('stays closed for a lender that refuses a question or opens sessions at no web page', async () => {
    bench.lender.answer(() => ({ status: 400, body: errorBody('invalid_request') }));
    for (let call = 0; call < 12; call += 1) await expect(ask()).rejects.toThrow('answered 400');
    for (const url of ['javascript:alert(1)', 'https://nowhere..example/']) {
      const opened = { answerId: 'answer-2', verdict: 'OPENED', covers: ['KYC'], url };
      const body = { ...opened, expiresAt: '2027-11-22T11:00:00Z' };
      bench.lender.answer(({ path }) => ({ body: path === '/sessions' ? body : DECLINED }));
      for (let call = 0; call < 9; call += 1) {
        await expect(session()).rejects.toMatchObject({ isSuspended: false });
      }
      await expect(ask('jrn_2')).resolves.toMatchObject({ status: 'ANSWERED' });
    }
  });
});

it('logs a failed call with lender, journey, cause, and the question and trace that the lender got', async () => {
  const warned = vi.spyOn(Logger.prototype, 'warn');
  bench.lender.answer(() => ({ status: 500, body: errorBody('internal_error') }));
  await expect(ask()).rejects.toThrow('answered 500');
  const quote = { lenderCode: LENDER, subjectId: 'jrn_1', payload: PAYLOAD, principal: 1_000 };
  const about = { ...quote, idempotencyKey: 'off_1:1', offerReference: 'OFFER-1' };
  await expect(bench.gateway.quote(about)).rejects.toThrow('answered 500');
  const kinds = ['OFFERS', 'QUOTE'];
  expect(warned.mock.calls).toEqual(
    bench.lender.questions.map(({ body, headers }, index) => [
      {
        err: expect.objectContaining({ message: 'answered 500: internal_error' }),
        lender: LENDER,
        journeyId: 'jrn_1',
        kind: kinds[index],
        question: body.questionId,
        traceparent: headers.traceparent,
      },
    ]),
  );
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
