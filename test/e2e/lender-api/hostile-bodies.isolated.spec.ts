// Isolated: its configuration has a lender outside the process.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServerResponse } from 'node:http';
import { errorBody, type GivenAnswer } from '../../support/small-lender.js';
import { LENDER, OFFER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';

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

/** As JSON reads it, with a field twice. */
const TWICE = `{"answerId":"a","verdict":"OFFERED","reason":"POLICY","verdict":"DECLINED"}`;

describe('an answer that is signed', () => {
  it.each<[string, unknown]>([
    ['arrays in arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects in objects', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
    ['numbers beyond all measure', '{"answerId":"a","verdict":"DECLINED","reason":1e999}'],
    ['nothing', ''],
    ['null', 'null'],
    ['text that is no UTF-8', '\ud800'],
    ['an array', [DECLINED]],
    ['a prototype', '{"__proto__":{"answerId":"a","verdict":"DECLINED","reason":"POLICY"}}'],
    ['an id that is none', { ...DECLINED, answerId: 'a/../b' }],
    ['a verdict of another question', { answerId: 'a', verdict: 'NOTED' }],
    ['offers without an end', { ...offered({}), offers: Array.from({ length: 11 }, () => OFFER) }],
    ['half a paisa', offered({ principal: 100.5 })],
    ['a principal as text', offered({ principal: '20000000' })],
    ['a negative amount', offered({ netPayout: -1 })],
    ['a fee beyond all measure', offered({ fees: [{ ...OFFER.fees[0], amount: 1e13 }] })],
    ['a tenure beyond all measure', offered({ tenureMonths: 100_000 })],
    ['a rate beyond all measure', offered({ rate: { kind: 'FIXED', annualPercent: '1e9' } })],
    ['a validity beyond all measure', offered({ validUntil: '9999-12-31T00:00:00Z' })],
    ['two lines in a name', offered({ fees: [{ ...OFFER.fees[0], name: 'a\nb' }] })],
  ])('with %s is unknown', async (_, body) => {
    bench.lender.answer(() => ({ body }));
    await expect(ask()).rejects.toMatchObject({ failure: 'invalid_answer' });
  });

  it('with a field twice is read as every reader of JSON reads it: the last counts', async () => {
    bench.lender.answer(() => ({ body: TWICE }));
    await expect(ask()).resolves.toMatchObject({ answer: { kind: 'DECLINED' } });
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
