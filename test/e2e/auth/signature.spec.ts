import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeApiKey, SIGNATURE_MISTAKES } from '../../../src/auth/index.js';
import { RandomSource, sha256, SystemClock } from '../../../src/platform/index.js';
import { loanRequest, type LoanRequestOptions } from '../../support/loan-requests.js';
import { type Overrides, sign } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { expectNoTrace, issueKey, type TestKey } from './auth-harness.js';

// Check 2 of decisions §2: key, timestamp and signature, all with the same error.

const random = new RandomSource();
const HOOK = '/api/v1/partner/webhooks/sub_x';
const INITIATE = '/api/v1/partner/journey/initiate';

let service: TestService;
let key: TestKey;

beforeAll(async () => {
  service = await sharedService();
  key = await issueKey(service);
});

afterEach(() => {
  vi.restoreAllMocks();
});

// A hosted journey asks no lender, so nothing changes during a test.
const hosted = (options?: LoanRequestOptions) => loanRequest({ channel: 'API_HOSTED', ...options });

function mistyped(apiKey: string): string {
  const last = apiKey.at(-1) === 'a' ? 'b' : 'a';
  return apiKey.slice(0, -1) + last;
}

describe('401 Invalid signature or expired timestamp: nothing can be probed', () => {
  it('a key that is unknown, of another mode or mistyped gets the same answer as any other', async () => {
    const wrong = [
      makeApiKey('rinpath', 'test', random),
      makeApiKey('rinpath', 'live', random),
      mistyped(key.apiKey),
      key.apiKey.toUpperCase(),
      key.apiSecret,
      `' OR 1=1 --`,
      'k'.repeat(1_000),
    ];
    await expectNoTrace(service, async () => {
      for (const apiKey of wrong) {
        const answer = await key.client.get('/products', { overrides: { apiKey } });
        expect(answer).toBeRefused('invalid_signature');
        // The response of production, plus the sandbox's hint, which reveals no existing key.
        const { hint, ...others } = answer.json;
        expect(JSON.stringify(others)).toBe(
          '{"success":false,"error":"Invalid signature or expired timestamp","code":"invalid_signature"}',
        );
        expect(hint).toMatch(
          /^this (is not a complete API key|is an API secret|is a live key|sandbox has no such)/,
        );
      }
    });
  });

  it('a known key with a wrong signature, a wrong secret or an old timestamp gets the same text', async () => {
    const wrong: Overrides[] = [
      { signature: '0'.repeat(64) },
      { apiSecret: key.apiKey },
      { apiSecret: '' },
      { timestamp: '1700000000' },
    ];
    await expectNoTrace(service, async () => {
      for (const overrides of wrong)
        expect(await key.client.get('/products', { overrides })).toBeRefused('invalid_signature');
    });
  });
});

describe('the hint of the sandbox', () => {
  const nonce = '0f8fad5b-d9cb-469f-a165-70867728950e';

  it('shows the holder of a known key what the server signed', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const overrides = { signature: 'a'.repeat(64), nonce, timestamp };
    const { json } = await key.client.post('/webhooks?x=%20y', { a: 1 }, { overrides });
    expect(json.hint).toBe(
      'the signature matches no known error: it uses a secret that is not yours, or signs other bytes: compare both byte by byte; ' +
        `the server signed "POST\\n/api/v1/partner/webhooks?x=%20y\\n${timestamp}\\n${nonce}\\n" ` +
        `followed by the raw body of 7 bytes (SHA-256 ${sha256('{"a":1}')})`,
    );
  });

  it('names the mistake that the signature fits', async () => {
    const body = JSON.stringify(hosted());
    const other = await issueKey(service);
    const mistakes: [Overrides, keyof typeof SIGNATURE_MISTAKES][] = [
      [{ signedBody: '' }, 'BODY_LEFT_OUT'],
      [{ apiSecret: other.apiSecret }, 'OTHER_SECRET'],
    ];
    for (const [overrides, mistake] of mistakes) {
      const answer = await key.client.request('POST', INITIATE, { body, overrides });
      expect(answer).toBeRefused('invalid_signature');
      expect(answer.json.hint).toContain(
        `the signature is wrong: ${SIGNATURE_MISTAKES[mistake]}; the server signed`,
      );
    }
  });

  it('knows nothing of the secrets of another partner', async () => {
    const foreign = await issueKey(service, { partnerId: 'limited' });
    const overrides = { apiSecret: foreign.apiSecret };
    const { json } = await key.client.get('/products', { overrides });
    expect(json.hint).toContain('the signature matches no known error');
  });

  it('holds neither the secret nor the signature that would be right', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const wrong = await key.client.get('/products', {
      overrides: { signature: 'a'.repeat(64), nonce, timestamp },
    });
    expect(wrong.json.hint).toContain(nonce);
    const text = JSON.stringify([wrong.body.toString(), wrong.rawHeaders]);
    const parts = { method: 'GET', target: '/api/v1/partner/products', timestamp, nonce, body: '' };
    const right = sign(key.apiSecret, parts);
    for (const secret of [key.apiSecret, key.apiSecret.slice(-20), right, right.toUpperCase()]) {
      expect(text).not.toContain(secret);
    }
    // The signature that the hint must not reveal is the accepted one.
    const overrides = { signature: right, nonce, timestamp };
    expect((await key.client.get('/products', { overrides })).status).toBe(200);
  });

  it('says of a key that is not known why it is none, and nothing else', async () => {
    const hints: [string, string][] = [
      [makeApiKey('rinpath', 'test', random), 'this sandbox has no such API key'],
      [
        makeApiKey('rinpath', 'live', random),
        'this is a live key: the sandbox accepts only test keys',
      ],
      [
        mistyped(key.apiKey),
        'this is not a complete API key: its checksum is wrong; copy it again',
      ],
    ];
    for (const [apiKey, hint] of hints) {
      expect((await key.client.get('/products', { overrides: { apiKey } })).json.hint).toBe(hint);
    }
  });
});

describe('the timestamp', () => {
  it('is taken 300 seconds on either side and refused at 301', async () => {
    const now = new Date(Math.floor(Date.now() / 1000) * 1000 + 999);
    vi.spyOn(service.get<SystemClock>(SystemClock), 'now').mockReturnValue(now);
    const statusAt = async (seconds: number) => {
      const timestamp = String(Math.floor(now.getTime() / 1000) + seconds);
      const answer = await key.client.get('/products', { overrides: { timestamp } });
      return answer.status;
    };
    const offsets = [-100_000, -301, -300, 0, 300, 301, 100_000];
    const statuses = [];
    for (const seconds of offsets) statuses.push(await statusAt(seconds));
    expect(statuses).toEqual([401, 401, 200, 200, 200, 401, 401]);
  });
});

describe('the signature is right', () => {
  it('in upper-case hexadecimal and in mixed', async () => {
    const target = '/api/v1/partner/products';
    for (const capitals of [64, 32]) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const nonce = randomUUID();
      const right = sign(key.apiSecret, { method: 'GET', target, timestamp, nonce, body: '' });
      const signature = right.slice(0, capitals).toUpperCase() + right.slice(capitals);
      const overrides = { timestamp, nonce, signature };
      expect((await key.client.get('/products', { overrides })).status).toBe(200);
    }
  });

  it('on GET over the path with its query and over the path alone, over a query in the very encoding that was sent', async () => {
    const target = '/api/v1/partner/leads?status=INITI%41TED&loanType=a+b%20c';
    for (const overrides of [undefined, { signedTarget: '/api/v1/partner/leads' }]) {
      expect((await key.client.request('GET', target, { overrides })).status).toBe(200);
    }
  });

  it('without the /api prefix, over the path as it was sent', async () => {
    const target = '/v1/partner/journey/initiate';
    const { status, json } = await key.client.request('POST', target, { body: hosted() });
    expect([status, Object.keys(json.data)]).toEqual([
      200,
      expect.arrayContaining(['journeyId', 'hostedUrl']),
    ]);
  });

  it('over a body in any letters, byte by byte, whatever the content type says, and over nothing where there is no body', async () => {
    const hindi = hosted({ customer: { fullName: 'आशा वर्मा' } });
    for (const body of [hindi, JSON.stringify(hosted(), null, 2)]) {
      expect((await key.client.initiate(body)).status).toBe(200);
    }
    for (const contentType of [null, 'text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': contentType };
      expect((await key.client.initiate(hosted(), { headers })).status).toBe(200);
    }
    const answer = await key.client.post('/webhooks/sub_x/rotate-secret');
    expect(answer).toBeRefused('subscription_not_found');
  });
});

describe('the signature is wrong: 401', () => {
  const leads = '/api/v1/partner/leads';

  it('over anything else than what is sent, which is taken once it is signed', async () => {
    const body = JSON.stringify(hosted());
    const wrong: [string, string, Overrides, string?][] = [
      ['GET', leads, { signedMethod: 'POST' }],
      ['GET', leads, { signedTarget: `${leads}/` }],
      ['GET', '/v1/partner/leads', { signedTarget: leads }],
      ['GET', `${leads}?page=2`, { signedTarget: `${leads}?page=1` }],
      ['GET', `${leads}?status=%41`, { signedTarget: `${leads}?status=A` }],
      ['GET', leads, { signedBody: '' }, '{}'],
      ['DELETE', `${HOOK}?a=1`, { signedTarget: HOOK }],
      ['POST', `${INITIATE}?a=1`, { signedTarget: INITIATE }, body],
      ['POST', INITIATE, { signedBody: body.replace('200000', '200001') }, body],
      ['POST', INITIATE, { signedBody: JSON.stringify(hosted(), null, 1) }, body],
      ['POST', INITIATE, { signedBody: '' }, body],
    ];
    await expectNoTrace(service, async () => {
      for (const [method, target, overrides, sent] of wrong) {
        const answer = await key.client.request(method, target, { body: sent, overrides });
        expect(answer).toBeRefused('invalid_signature');
      }
    });
    for (const [method, target, , sent] of wrong) {
      const { status } = await key.client.request(method, target, { body: sent });
      expect([200, 404]).toContain(status);
    }
  });

  it('of another timestamp or another nonce', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = '0f8fad5b-d9cb-469f-a165-70867728950f';
    const overrides = { timestamp, nonce };
    for (const headers of [
      { 'x-timestamp': String(Number(timestamp) + 1) },
      { 'x-nonce': randomUUID() },
      { 'x-nonce': nonce.toUpperCase() },
    ] as Record<string, string>[]) {
      const answer = await key.client.get('/products', { headers, overrides });
      expect(answer).toBeRefused('invalid_signature');
    }
    expect((await key.client.get('/products', { overrides })).status).toBe(200);
  });
});
