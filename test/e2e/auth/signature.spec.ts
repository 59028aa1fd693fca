import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeApiKey, SIGNATURE_MISTAKES } from '../../../src/auth/index.js';
import { RandomSource, sha256, SystemClock } from '../../../src/platform/index.js';
import { loanRequest, type LoanRequestOptions } from '../../support/loan-requests.js';
import { type Overrides, sign } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { expectNoTrace, issueKey, type TestKey } from './auth-harness.js';

// Check 2 of decisions §2: key, timestamp and signature, with the same response for all three.
// src/auth/request-signature.spec.ts tests what a signature covers.

const random = new RandomSource();
const INITIATE = '/api/v1/partner/journey/initiate';
const NONCE = '0f8fad5b-d9cb-469f-a165-70867728950e';

const service = serviceOfFile();
let key: TestKey;

beforeAll(async () => {
  key = await issueKey(service);
});

afterEach(() => {
  vi.restoreAllMocks();
});

// A hosted journey asks no lender, so nothing changes during a test.
const hosted = (options?: LoanRequestOptions) => loanRequest({ channel: 'API_HOSTED', ...options });
const nowInSeconds = () => String(Math.floor(Date.now() / 1000));

describe('401 Invalid signature or expired timestamp: nothing can be probed', () => {
  it('a key that is unknown, of another mode or mistyped gets the same answer as any other, and a hint why it is none', async () => {
    const last = key.apiKey.at(-1) === 'a' ? 'b' : 'a';
    const unknown = 'this sandbox has no such API key';
    const incomplete = 'this is not a complete API key: its checksum is wrong; copy it again';
    const wrong: [string, string][] = [
      [makeApiKey('rinpath', 'test', random), unknown],
      [
        makeApiKey('rinpath', 'live', random),
        'this is a live key: the sandbox accepts only test keys',
      ],
      [
        key.apiSecret,
        'this is an API secret: send the API key in x-api-key, and never send the secret',
      ],
      ...[key.apiKey.slice(0, -1) + last, key.apiKey.toUpperCase(), `' OR 1=1 --`].map(
        (apiKey): [string, string] => [apiKey, incomplete],
      ),
    ];
    await expectNoTrace(service, async () => {
      for (const [apiKey, hint] of wrong) {
        const answer = await key.client.get('/products', { overrides: { apiKey } });
        expect(answer).toBeRefused('invalid_signature');
        expect(Object.entries(answer.json)).toEqual([
          ['success', false],
          ['error', 'Invalid signature or expired timestamp'],
          ['code', 'invalid_signature'],
          ['hint', hint],
          ['requestId', answer.headers['x-request-id']],
          ['docs', `${service.baseUrl}/docs/errors#invalid_signature`],
        ]);
      }
    });
  });

  it('a known key with a wrong signature, a wrong secret or an old timestamp gets the same text', async () => {
    const wrong: Overrides[] = [
      { signature: '0'.repeat(64) },
      { apiSecret: key.apiKey },
      { timestamp: '1700000000' },
    ];
    await expectNoTrace(service, async () => {
      for (const overrides of wrong)
        expect(await key.client.get('/products', { overrides })).toBeRefused('invalid_signature');
    });
  });
});

describe('the hint of the sandbox', () => {
  it('shows the holder of a known key what the server signed, and neither the secret nor the signature that would be right', async () => {
    const target = '/api/v1/partner/webhooks?x=%20y';
    const [timestamp, body] = [nowInSeconds(), '{"a":1}'];
    const overrides = { signature: 'a'.repeat(64), nonce: NONCE, timestamp };
    const wrong = await key.client.request('POST', target, { body, overrides });
    expect(wrong.json.hint).toBe(
      'the signature matches no known error: it uses a secret that is not yours, or signs other bytes: compare both byte by byte; ' +
        `the server signed "POST\\n${target}\\n${timestamp}\\n${NONCE}\\n" ` +
        `followed by the raw body of 7 bytes (SHA-256 ${sha256(body)})`,
    );
    const text = JSON.stringify([wrong.body.toString(), wrong.rawHeaders]);
    const signature = sign(key.apiSecret, {
      method: 'POST',
      target,
      timestamp,
      nonce: NONCE,
      body,
    });
    for (const secret of [key.apiSecret.slice(-20), signature, signature.toUpperCase()]) {
      expect(text).not.toContain(secret);
    }
    // The signature that the hint must not reveal is the valid one.
    const right = { overrides: { ...overrides, signature }, body };
    expect((await key.client.request('POST', target, right)).json.code).toBe('validation_failed');
  });

  it('names the mistake that the signature fits, and knows nothing of the secrets of another partner', async () => {
    const [other, foreign] = [
      await issueKey(service),
      await issueKey(service, { partnerId: 'limited' }),
    ];
    const hints: [Overrides, string][] = [
      [{ signedBody: '' }, `is wrong: ${SIGNATURE_MISTAKES.BODY_LEFT_OUT}; the server signed`],
      [{ apiSecret: other.apiSecret }, SIGNATURE_MISTAKES.OTHER_SECRET],
      [{ apiSecret: foreign.apiSecret }, 'the signature matches no known error'],
    ];
    for (const [overrides, hint] of hints) {
      const { json } = await key.client.initiate(hosted(), { overrides });
      expect(json.hint).toContain(hint);
    }
  });
});

describe('the timestamp', () => {
  it('is taken 300 seconds on either side and refused at 301', async () => {
    const now = new Date(Math.floor(Date.now() / 1000) * 1000 + 999);
    vi.spyOn(service.get<SystemClock>(SystemClock), 'now').mockReturnValue(now);
    const statuses = [];
    for (const seconds of [-100_000, -301, -300, 0, 300, 301, 100_000]) {
      const timestamp = String(Math.floor(now.getTime() / 1000) + seconds);
      const { status } = await key.client.get('/products', { overrides: { timestamp } });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 200, 200, 200, 401, 401]);
  });
});

describe('what is signed', () => {
  it('is the path and the query in the very encoding that was sent, without /api where it was left out; on GET the path alone is enough', async () => {
    const query = '?status=INITI%41TED&loanType=a+b%20c';
    for (const path of ['/api/v1/partner/leads', '/v1/partner/leads']) {
      for (const overrides of [undefined, { signedTarget: path }]) {
        const { status } = await key.client.request('GET', path + query, { overrides });
        expect([path, overrides, status]).toEqual([path, overrides, 200]);
      }
    }
    const overrides = { signedTarget: INITIATE };
    const longer = await key.client.request('POST', `${INITIATE}?a=1`, { overrides, body: '{}' });
    expect(longer).toBeRefused('invalid_signature');
  });

  it('is a body in any letters, byte by byte, whatever the content type says, and nothing where there is no body', async () => {
    const hindi = hosted({ customer: { fullName: 'आशा वर्मा' } });
    for (const body of [hindi, JSON.stringify(hosted(), null, 2)]) {
      expect((await key.client.initiate(body)).status).toBe(200);
    }
    const overrides = { signedBody: JSON.stringify(hindi, null, 1) };
    expect(await key.client.initiate(hindi, { overrides })).toBeRefused('invalid_signature');
    for (const contentType of [null, 'text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': contentType };
      expect((await key.client.initiate(hosted(), { headers })).status).toBe(200);
    }
    const answer = await key.client.post('/webhooks/sub_x/rotate-secret');
    expect(answer).toBeRefused('subscription_not_found');
  });
});
