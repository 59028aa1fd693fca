// Isolated: its configuration has a lender outside the process.
import { gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderLanes } from '../../../src/lender-api/index.js';
import { errorBody, type GivenAnswer, testKey } from '../../support/small-lender.js';
import { eventually } from '../../support/eventually.js';
import { LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';

let bench: RemoteLenderBench;

beforeAll(async () => {
  bench = await RemoteLenderBench.open();
});

// What one test has the lender left alone for is not the next one's.
afterEach(() => {
  vi.restoreAllMocks();
  bench.lender.questions.length = 0;
  (Reflect.get(bench.service.get(LenderLanes), 'lanes') as Map<string, unknown>).clear();
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

describe('a lender that signs wrongly', () => {
  it('is none where an error is signed for no request: that is an error like any other', async () => {
    const body = errorBody('internal_error');
    bench.lender.answer(() => ({ status: 500, body, isUnbound: true }));
    for (let call = 0; call < 5; call += 1) {
      await expect(ask()).rejects.toMatchObject({ failure: 'error_status' });
    }
    const metrics = await (await fetch(`${bench.service.baseUrl}/metrics`)).text();
    expect(metrics).not.toContain(`lender_signatures_refused_total{lender="${LENDER}"`);
  });

  it('is counted, and put before the operator once that repeats', async () => {
    bench.lender.answer(() => ({ body: DECLINED, signedAs: { key: testKey('small-1') } }));
    const flags = () =>
      bench.query(`SELECT subject_id, detail FROM operator_flags WHERE kind = $1`, [
        'LENDER_SIGNATURE_REFUSED',
      ]);
    for (let call = 0; call < 4; call += 1)
      await expect(ask()).rejects.toThrow('does not belong to this body');
    expect(await flags()).toEqual([]);
    await expect(ask()).rejects.toThrow('does not belong to this body');
    await eventually(async () => {
      expect(await flags()).toEqual([
        {
          subject_id: LENDER,
          detail: { lenderCode: LENDER, message: 'answer', problem: 'DOES_NOT_MATCH' },
        },
      ]);
    });
    const metrics = await (await fetch(`${bench.service.baseUrl}/metrics`)).text();
    expect(metrics).toContain(
      `lender_signatures_refused_total{lender="${LENDER}",message="answer",problem="DOES_NOT_MATCH"} 5`,
    );
    expect(metrics).toContain(
      `lender_calls_total{lender="${LENDER}",call="OFFERS",outcome="signature_refused"} 5`,
    );
  });
});

describe('an answer is unknown', () => {
  it.each<[string, string, GivenAnswer]>([
    ['signature_refused', 'without a signature', { body: DECLINED, isUnsigned: true }],
    ['signature_refused', 'signed for no request', { body: DECLINED, isUnbound: true }],
    ['invalid_answer', 'that is no JSON', { body: '<h1>busy</h1>' }],
    ['invalid_answer', 'that is cut in half', { body: JSON.stringify(DECLINED).slice(0, 20) }],
    ['invalid_answer', 'of another question', { body: { answerId: 'a', verdict: 'PAID' } }],
    ['too_large', 'of more than 256 KB', { body: `"${'x'.repeat(300 * 1024)}"` }],
    [
      'compressed',
      'that is compressed',
      {
        write: (response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' });
          response.end(gzipSync(Buffer.alloc(10_000_000)));
        },
      },
    ],
    [
      'redirect',
      'that leads elsewhere',
      {
        write: (response) => {
          response.writeHead(307, { location: 'http://127.0.0.1:1/' });
          response.end();
        },
      },
    ],
    [
      'unreachable',
      'that breaks off',
      {
        write: (response) => {
          response.writeHead(200, { 'content-length': '100' });
          response.write('{');
          setImmediate(() => response.destroy());
        },
      },
    ],
    ['error_status', 'of 500', { status: 500, body: errorBody('internal_error') }],
    [
      'error_status',
      'of a balancer',
      { status: 502, body: '<h1>Bad gateway</h1>', isUnsigned: true },
    ],
    ['refused', 'of 409', { status: 409, body: errorBody('key_reused') }],
  ])('%s: %s', async (failure, _, given) => {
    bench.lender.answer(() => given);
    await expect(ask()).rejects.toMatchObject({ name: 'LenderCallFailed', failure });
  });

  it('after ten seconds, also of one that never ends', async () => {
    let written = 0;
    bench.lender.answer(() => ({
      write: (response) => {
        response.writeHead(200);
        const timer = setInterval(() => {
          written += 1;
          response.write(' ');
        }, 100);
        response.on('close', () => clearInterval(timer));
      },
    }));
    await expect(ask()).rejects.toThrow(/no answer/);
    // Ten a second, and fewer on a machine that stands still meanwhile.
    expect(written).toBeLessThan(110);
  });

  it('at once of one that is endless', async () => {
    bench.lender.answer(() => ({
      write: (response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, ' ')));
        };
        response.on('drain', more);
        more();
      },
    }));
    await expect(ask()).rejects.toMatchObject({ failure: 'too_large' });
  });
});

describe('a lender that asks to be left alone', () => {
  it.each([
    ['in its own words', { status: 429, body: errorBody('too_many_requests') }, '90', 90_000],
    ['for hours', { status: 503, body: errorBody('unavailable') }, '999999', 21_600_000],
    ['by its balancer', { status: 503, body: 'busy', isUnsigned: true }, '3600', 60_000],
  ])('%s is asked again after that', async (_, given, after, askAgainInMs) => {
    bench.lender.answer(() => ({ ...given, headers: { 'retry-after': after } }));
    await expect(ask()).rejects.toMatchObject({ failure: 'asked_to_wait', askAgainInMs });
  });
});

describe('a lender that does not answer', () => {
  it('is not asked for a while, then with one call, and again once it answers', async () => {
    bench.lender.answer(() => ({ status: 500, body: errorBody('internal_error') }));
    for (let call = 0; call < 8; call += 1) await expect(ask()).rejects.toThrow('answered 500');
    await expect(ask()).rejects.toMatchObject({ failure: 'breaker_open' });
    expect(bench.lender.questions).toHaveLength(8);
    bench.lender.answer(() => ({ body: DECLINED }));
    await eventually(async () => {
      await expect(ask()).resolves.toMatchObject({ status: 'ANSWERED' });
    });
  });

  it('is not taken for one that refuses a question', async () => {
    bench.lender.answer(() => ({ status: 400, body: errorBody('invalid_request') }));
    for (let call = 0; call < 12; call += 1) await expect(ask()).rejects.toThrow('answered 400');
  });
});

describe('answers about one journey that are not as the protocol says', () => {
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

  it.each([
    ['no web page', 'javascript:alert(1)'],
    ['no host that can exist', 'https://nowhere..example/'],
  ])('have no other journey wait: a session at %s', async (_, url) => {
    const opened = { answerId: 'answer-2', verdict: 'OPENED', covers: ['KYC'] };
    bench.lender.answer(({ path }) =>
      path === '/sessions'
        ? { body: { ...opened, url, expiresAt: '2027-11-22T11:00:00Z' } }
        : { body: DECLINED },
    );
    for (let call = 0; call < 12; call += 1) {
      await expect(session()).rejects.toMatchObject({ isSuspended: false });
    }
    expect(bench.lender.questions).toHaveLength(12);
    await expect(ask('jrn_2')).resolves.toMatchObject({ status: 'ANSWERED' });
  });

  it('hide no outage: failures before and after one count together', async () => {
    bench.lender.answer(({ path }) =>
      path === '/sessions'
        ? { body: { answerId: 'answer-2', verdict: 'PAID' } }
        : { status: 500, body: errorBody('internal_error') },
    );
    for (let call = 0; call < 7; call += 1) await expect(ask()).rejects.toThrow('answered 500');
    await expect(session()).rejects.toMatchObject({ failure: 'invalid_answer' });
    await expect(ask()).rejects.toThrow('answered 500');
    await expect(ask()).rejects.toMatchObject({ failure: 'breaker_open' });
  });
});

describe('a line of the log about a call that failed', () => {
  it('names lender, journey, cause, and the question and trace that the lender got', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn');
    bench.lender.answer(() => ({ status: 500, body: errorBody('internal_error') }));
    await expect(ask()).rejects.toThrow('answered 500');
    const [{ body, headers }] = bench.lender.questions;
    expect(warned.mock.calls).toEqual([
      [
        {
          err: expect.objectContaining({ message: 'answered 500: internal_error' }),
          lender: LENDER,
          journeyId: 'jrn_1',
          kind: 'OFFERS',
          question: body.questionId,
          traceparent: headers.traceparent,
        },
      ],
    ]);
    expect(headers['idempotency-key']).toBe(body.questionId);
  });

  it('names a quote as the lender got it, with its hash', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn');
    bench.lender.answer(() => ({ status: 500, body: errorBody('internal_error') }));
    const quote = bench.gateway.quote({
      lenderCode: LENDER,
      subjectId: 'jrn_1',
      idempotencyKey: 'off_1:1',
      payload: PAYLOAD,
      offerReference: 'OFFER-1',
      principal: 100_000_00,
    });
    await expect(quote).rejects.toThrow('answered 500');
    const [{ body, headers }] = bench.lender.questions;
    const { question, traceparent } = warned.mock.calls[0][0] as Record<string, unknown>;
    expect([question, traceparent]).toEqual([body.questionId, headers.traceparent]);
  });
});
