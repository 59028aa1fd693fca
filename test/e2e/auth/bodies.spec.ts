import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { serviceOfFile } from '../../support/shared-service.js';
import {
  expectNoBusiness,
  expectNoTrace,
  issueKey,
  type TestKey,
  UNKNOWN_SUBSCRIPTION,
} from './auth-harness.js';

// Two checks of decisions §2: the size of a body comes first; JSON syntax (check 9) comes after authentication.
// json-body.spec.ts covers every form.

const MAX_BYTES = 100 * 1024;

const service = serviceOfFile();
let key: TestKey;

beforeAll(async () => {
  key = await issueKey(service);
});

/** A valid body of exactly `bytes` bytes, for which no lender is asked. */
function bodyOf(bytes: number): string {
  const body = JSON.stringify(loanRequest({ channel: 'API_HOSTED' }));
  return body + ' '.repeat(bytes - Buffer.byteLength(body));
}

describe('413: the body is larger than 100 KB', () => {
  it('at one byte more; at 100 KB exactly it is taken', async () => {
    expect((await key.client.initiate(bodyOf(MAX_BYTES))).status).toBe(200);
    await expectNoTrace(service, async () => {
      expect(await key.client.initiate(bodyOf(MAX_BYTES + 1))).toBeRefused('body_too_large');
    });
  });

  it('whatever the call: one that takes no body, a GET, nothing signed, no such route', async () => {
    const body = bodyOf(200_000);
    const unsigned = { 'x-api-key': null, 'x-signature': null };
    for (const answer of [
      await key.client.post(`/webhooks/${UNKNOWN_SUBSCRIPTION}/rotate-secret`, body),
      await key.client.get('/products', { body }),
      await key.client.post('/webhooks', body, { headers: unsigned }),
      await key.client.post('/nothing', body),
    ]) {
      expect(answer).toBeRefused('body_too_large');
    }
  });
});

describe('400: the body is not JSON', () => {
  const NOT_JSON = 'The body is not valid JSON';
  const NO_OBJECT = 'The body must be a JSON object';
  const TOO_DEEP = 'The body is nested too deeply';

  it('or is JSON, but no object, or nested too deeply: each is said, and nothing is written', async () => {
    const wrong: [string | Buffer | undefined, string][] = [
      [undefined, NOT_JSON],
      ['', NOT_JSON],
      ['{"a": 1', NOT_JSON],
      ['{}{}', NOT_JSON],
      ['{"a":NaN}', NOT_JSON],
      ['\0', NOT_JSON],
      [Buffer.from('7b2261223a22ff227d', 'hex'), NOT_JSON],
      ['[]', NO_OBJECT],
      ['null', NO_OBJECT],
      ['"text"', NO_OBJECT],
      ['{"a":'.repeat(15_000) + '1' + '}'.repeat(15_000), TOO_DEEP],
      [`{"x":${'['.repeat(16_000)}`, NOT_JSON],
    ];
    await expectNoBusiness(service, async () => {
      for (const [body, error] of wrong) {
        const answer = await key.client.post('/journey/initiate', body);
        expect(answer).toBeFailure({ status: 400, code: 'malformed_json', error });
      }
    });
  });
});

describe('what a body may be', () => {
  it('anything on a call that takes none, so long as it is signed', async () => {
    for (const body of ['not json', Buffer.alloc(100, 0xff)]) {
      expect((await key.client.get('/products', { body })).status).toBe(200);
      const path = `/webhooks/${UNKNOWN_SUBSCRIPTION}`;
      expect(await key.client.delete(path, { body })).toBeRefused('subscription_not_found');
      const rotated = await key.client.post(`${path}/rotate-secret`, body);
      expect(rotated).toBeRefused('subscription_not_found');
      const overrides = { signedBody: '' };
      const unsigned = await key.client.get('/products', { body, overrides });
      expect(unsigned).toBeRefused('invalid_signature');
    }
  });
});

describe('nothing is parsed for those who are not let in', () => {
  it('a body that is not JSON, or compressed, is refused for the signature, the limit, the scope or the journey', async () => {
    const tight = await issueKey(service, { perMinute: 1 });
    const narrow = await issueKey(service, { scopes: ['products:read'] });
    await tight.client.get('/products');
    const overrides = { signature: 'a'.repeat(64) };
    for (const [body, encoding] of [
      ['{', null],
      [gzipSync(bodyOf(2_000)), 'gzip'],
    ]) {
      const headers = { 'content-encoding': encoding as string | null };
      const answers = [
        await key.client.initiate(body, { headers, overrides }),
        await tight.client.initiate(body, { headers }),
        await narrow.client.initiate(body, { headers }),
        await key.client.post('/journey/jrn_1/action', body, { headers }),
      ];
      expect(answers.map(({ json }) => json.code)).toEqual([
        'invalid_signature',
        'rate_limited',
        'scope_missing',
        'journey_not_found',
      ]);
    }
  });
});
