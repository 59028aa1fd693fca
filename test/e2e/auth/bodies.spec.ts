import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import {
  expectNoBusiness,
  expectNoTrace,
  issueKey,
  type TestKey,
  UNKNOWN_SUBSCRIPTION,
} from './auth-harness.js';

// The size of a body, checked first, and check 9 of decisions §2, JSON syntax, checked after authentication.
// json-body.spec.ts covers every form.

const MAX_BYTES = 100 * 1024;

let service: TestService;
let key: TestKey;

beforeAll(async () => {
  service = await sharedService();
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

  it('whatever the call: one that takes no body, a GET, nothing signed, no such route, no length', async () => {
    const body = bodyOf(200_000);
    const unsigned = { 'x-api-key': null, 'x-signature': null };
    const answers = [
      await key.client.post(`/webhooks/${UNKNOWN_SUBSCRIPTION}/rotate-secret`, body),
      await key.client.get('/products', { body }),
      await key.client.post('/webhooks', body, { headers: unsigned }),
      await key.client.post('/nothing', body),
    ];
    for (const answer of answers) expect(answer).toBeRefused('body_too_large');
    const headers = {
      'x-api-key': key.apiKey,
      'x-timestamp': String(Math.floor(Date.now() / 1_000)),
      'x-nonce': randomUUID(),
      'x-signature': 'a'.repeat(64),
    };
    const status = await new Promise((resolve, reject) => {
      const url = `${service.baseUrl}/api/v1/partner/webhooks`;
      const sent = httpRequest(url, { method: 'POST', agent: false, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      for (let i = 0; i < 20; i += 1) sent.write('x'.repeat(10_000));
      sent.end();
    });
    expect(status).toBe(413);
  });
});

describe('400: the body is not JSON', () => {
  it('but empty, cut off, of other bytes, compressed, or no body at all', async () => {
    await expectNoBusiness(service, async () => {
      for (const body of [
        '',
        'hello',
        '{"a": 1',
        '{}{}',
        Buffer.from('7b2261223a22ff227d', 'hex'),
      ]) {
        expect(await key.client.initiate(body)).toBeRefused('malformed_json');
        expect(await key.client.post('/webhooks', body)).toBeRefused('malformed_json');
      }
      expect(await key.client.post('/journey/initiate')).toBeRefused('malformed_json');
      const headers = { 'content-encoding': 'gzip' };
      const compressed = gzipSync(bodyOf(2_000));
      const answer = await key.client.post('/journey/initiate', compressed, { headers });
      expect(answer).toBeRefused('unsupported_media_type');
    });
  });

  it('JSON, but no object, or nested too deeply', async () => {
    const failure = (error: string) => ({ status: 400, code: 'malformed_json', error });
    for (const body of ['[]', 'null', '12', '"text"']) {
      expect(await key.client.initiate(body)).toBeFailure(
        failure('The body must be a JSON object'),
      );
    }
    for (const body of [
      '{"a":'.repeat(15_000) + '1' + '}'.repeat(15_000),
      '{"a":'.repeat(50) + '1' + '}'.repeat(50),
    ]) {
      expect(await key.client.initiate(body)).toBeFailure(failure('The body is nested too deeply'));
    }
  });
});

describe('what a body may be', () => {
  it('one with unknown fields, __proto__ and the like among them', async () => {
    const known = loanRequest({ channel: 'API_HOSTED' });
    const json = JSON.stringify({ ...known, unknown: { a: [1, { b: null }] }, constructor: 1 });
    const body = `{"__proto__": {"isAdmin": true}, "prototype": 1, ${json.slice(1)}`;
    expect((await key.client.initiate(body)).status).toBe(200);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('one with a key twice: the last counts', async () => {
    const body = JSON.stringify(loanRequest({ channel: 'API_HOSTED' }));
    const withMobile = (first: string, last: string) =>
      `{"mobile": "${first}", ${body.slice(1, -1)}, "mobile": "${last}"}`;
    expect((await key.client.initiate(withMobile('bad', '9876543210'))).status).toBe(200);
    expect(await key.client.initiate(withMobile('9876543210', 'bad'))).toBeRefused(
      'validation_failed',
    );
  });

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
  it('a body that is not JSON is refused for the signature, the standing, the limit or the scope', async () => {
    const tight = await issueKey(service, { perMinute: 1 });
    const narrow = await issueKey(service, { scopes: ['products:read'] });
    await tight.client.get('/products');
    const overrides = { signature: 'a'.repeat(64) };
    const answers = [
      await key.client.post('/journey/initiate', '{', { overrides }),
      await tight.client.initiate('{'),
      await narrow.client.initiate('{'),
    ];
    expect(answers.map(({ json }) => json.code)).toEqual([
      'invalid_signature',
      'rate_limited',
      'scope_missing',
    ]);
  });
});
