// Isolated: its configuration has a lender outside the process, whose calls are counted.
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService } from '../../support/service.js';
import {
  errorBody,
  type GivenAnswer,
  type GotQuestion,
  OFFER,
} from '../../support/small-lender.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';
import { DAY, JourneyBench } from '../journeys/journey-bench.js';
import { type ReadPdf, readPdf } from '../key-facts/read-pdf.js';
import { CallbackBench } from './callback-bench.js';
import { LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';
import type { Wrong } from './signing-lender.js';

describe('the body of an answer', () => {
  let bench: RemoteLenderBench;

  beforeAll(async () => {
    bench = await RemoteLenderBench.open();
  });

  // One that does not answer is left alone after a while; what counts here is each answer by itself.
  afterEach(async () => {
    bench.lender.answer(() => ({ body: DECLINED }));
    await expect(ask()).resolves.toMatchObject({ status: 'ANSWERED' });
  });

  afterAll(() => bench?.close());

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

  function offered(offer: object): object {
    return { answerId: 'a', verdict: 'OFFERED', offers: [{ ...OFFER, ...offer }] };
  }

  describe('an answer that is signed', () => {
    it.each<[string, unknown]>([
      ['arrays in arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
      ['text that is no UTF-8', '\ud800'],
      ['a prototype', '{"__proto__":{"answerId":"a","verdict":"DECLINED","reason":"POLICY"}}'],
      ['a verdict of another question', { answerId: 'a', verdict: 'NOTED' }],
    ])('with %s is unknown', async (_, body) => {
      bench.lender.answer(() => ({ body }));
      await expect(ask()).rejects.toMatchObject({ failure: 'invalid_answer' });
    });

    it('with figures at the ends of what they may be is computed in a moment', async () => {
      const absurd = offered({
        principal: 1_000_000_000_000,
        minimumAmount: 1,
        tenureMonths: 480,
        rate: { kind: 'FIXED', annualPercent: '999.999999' },
        repayment: { kind: 'EMI', instalment: 1 },
        apr: '999.99',
        netPayout: 1,
        fees: Array.from({ length: 20 }, () => ({ ...OFFER.fees[0], amount: 1_000_000_000_000 })),
      });
      bench.lender.answer(() => ({ body: absurd }));
      const startedAt = performance.now();
      await expect(ask()).resolves.toMatchObject({ status: 'ANSWERED' });
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    });
  });

  describe('an answer', () => {
    it.each<[string, string, (response: ServerResponse) => void]>([
      [
        'too_large',
        'that comes byte by byte without an end',
        (response) => {
          response.writeHead(200);
          const more = () => {
            while (!response.destroyed && response.socket?.write('1\r\n \r\n'.repeat(2_000)));
          };
          response.flushHeaders();
          response.socket?.on('drain', more);
          more();
        },
      ],
      [
        'unreachable',
        'with headers without an end',
        (response) => {
          response.socket?.write('HTTP/1.1 200 OK\r\n');
          for (let line = 0; line < 500; line += 1) {
            response.socket?.write(`x-${line}: ${'y'.repeat(1_000)}\r\n`);
          }
        },
      ],
      [
        'unreachable',
        'that is no HTTP',
        (response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
      ],
      [
        'signature_refused',
        'that is empty',
        (response) => response.writeHead(200, { 'content-length': '0' }).end(),
      ],
    ])('is %s %s', async (failure, _, write) => {
      bench.lender.answer((): GivenAnswer => ({ write }));
      const before = process.memoryUsage().arrayBuffers;
      await expect(ask()).rejects.toMatchObject({ failure });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
    });

    it('that leads elsewhere is not followed, whatever it is', async () => {
      for (const status of [301, 302, 303, 307, 308]) {
        bench.lender.answer(() => ({
          status,
          body: errorBody('moved'),
          headers: { location: `${bench.service.baseUrl}/health/ready` },
        }));
        await expect(ask()).rejects.toMatchObject({ failure: 'redirect' });
        bench.lender.answer(() => ({ body: DECLINED }));
        await ask();
      }
    });
  });
});

describe('what a hostile lender writes', { timeout: TEST_MS }, () => {
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

describe('a message to the service', () => {
  let service: OwnService;
  let bench: CallbackBench;

  beforeAll(async () => {
    service = await startService();
    bench = await CallbackBench.on(new JourneyBench(service));
  });

  afterAll(async () => {
    await bench?.close();
    await service?.close();
  });

  const nested = (levels: number) => `{"more":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  describe('a message that is not as the protocol says', () => {
    it.each<[string, number, string, object | string, Wrong]>([
      ['no JSON', 400, 'invalid_request', '{', {}],
      ['no UTF-8 JSON object', 400, 'invalid_request', '[]', {}],
      ['nests too deeply', 400, 'invalid_request', nested(5_000), {}],
      ['a field that is missing', 400, 'invalid_request', { id: 'x' }, {}],
      ['another version', 400, 'version_not_supported', '{}', { headers: { 'rlp-version': '2' } }],
      [
        'another media type',
        415,
        'unsupported_media_type',
        '{}',
        { headers: { 'content-type': 'text/plain' } },
      ],
    ])('is refused: %s', async (_, status, code, body, wrong) => {
      const told = await bench.lender.tell('loan-events', body, wrong);
      expect([told.status, told.json.error!.code, told.isSigned]).toEqual([status, code, true]);
    });

    it('is refused when Idempotency-Key is not its id', async () => {
      const journey = await bench.journeys.startWithOffers();
      await journey.select();
      const wrong = { headers: { 'idempotency-key': 'another' } };
      const told = await bench.lender.tell('loan-events', await bench.loanEvent(journey), wrong);
      expect([told.status, told.json.error!.code]).toEqual([400, 'invalid_request']);
    });

    it('is 413 above 256 KB, and taken below', async () => {
      const long = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes) });
      const tooLong = await bench.lender.tell('loan-events', long(256 * 1024));
      expect([tooLong.status, tooLong.json.error!.code]).toEqual([413, 'body_too_large']);
      expect((await bench.lender.tell('loan-events', long(200 * 1024))).status).toBe(400);
    });

    it('is 404 at an address that there is not', async () => {
      const told = await bench.lender.tell('nothing', {});
      expect([told.status, told.json.error!.code]).toEqual([404, 'not_found']);
    });
  });

  describe('too much at once', () => {
    it('is 429 for the lender that tells it, and for no other', async () => {
      const journey = await bench.journeys.startWithOffers();
      await journey.select();
      const body = await bench.loanEvent(journey);
      const many = await Promise.all(
        Array.from({ length: 150 }, () => bench.lender.tell('loan-events', body)),
      );
      const refused = many.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0].json.error!.code).toBe('too_many_requests');
      expect((await bench.stranger.tell('loan-events', body)).status).toBe(404);
      const metrics = await (await fetch(`${bench.journeys.service.baseUrl}/metrics`)).text();
      const counted = (lender: string, outcome: string) =>
        `lender_callbacks_total{lender="${lender}",call="LOAN_EVENTS",outcome="${outcome}"}`;
      expect(metrics).toContain(`${counted('navdhara', 'too_many_requests')} ${refused.length}`);
      expect(metrics).toContain(`${counted('navdhara', 'received')} ${150 - refused.length}`);
      expect(metrics).toContain(`${counted('kaverisetu', 'not_found')} 1`);
    });

    it('is 429 for an address whose calls are not signed, before anything is read of them', async () => {
      const address = `${bench.journeys.service.baseUrl}/lender-api/v1/navdhara/answers`;
      const statuses: number[] = [];
      for (let turn = 0; turn < 13; turn += 1) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => fetch(address, { method: 'POST', body: '{' })),
        );
        statuses.push(...answers.map(({ status }) => status));
        await Promise.all(answers.map((answer) => answer.arrayBuffer()));
      }
      expect(new Set(statuses)).toEqual(new Set([401, 429]));
      // A lender behind that address is heard all the same.
      expect((await bench.stranger.tell('loan-events', '{')).status).toBe(400);
    });
  });
});
