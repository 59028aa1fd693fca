import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { sign } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { expectNoTrace, issueKey, partnerRoutesOf, type TestKey } from './auth-harness.js';

// Check 1 of decisions §2: the headers are present and well-formed.

let service: TestService;
let key: TestKey;

beforeAll(async () => {
  service = await sharedService();
  key = await issueKey(service);
});

const malformed = (error: string) => ({ status: 401, code: 'malformed_credentials', error });

describe('a header that is missing: 401 and its name', () => {
  const names = ['x-api-key', 'x-timestamp', 'x-nonce', 'x-signature'];

  it('absent or empty, and the first of several, in the order of the contract', async () => {
    await expectNoTrace(service, async () => {
      const absent: Record<string, null> = {};
      for (const name of names.toReversed()) {
        absent[name] = null;
        for (const headers of [absent, { [name]: null }, { [name]: '' }]) {
          const answer = await key.client.get('/products', { headers });
          expect(answer).toBeFailure(malformed(`The ${name} header is missing`));
        }
      }
    });
  });

  it('on every route that the service has, with the /api prefix and without', async () => {
    const routes = partnerRoutesOf(service);
    expect(routes.length).toBeGreaterThanOrEqual(22);
    expect(routes.filter(({ target }) => target.startsWith('/v1/'))).toHaveLength(
      routes.length / 2,
    );
    await expectNoTrace(service, async () => {
      for (const { method, target } of routes) {
        const answer = await key.client.request(method, target, {
          headers: { 'x-api-key': null, 'x-timestamp': null, 'x-nonce': null, 'x-signature': null },
        });
        expect(answer).toBeFailure(malformed('The x-api-key header is missing'));
      }
    });
  });
});

describe('a header that is malformed: 401, its name and its form, though the signature be right', () => {
  const timestamp = 'The x-timestamp header must be Unix time in seconds';
  const nonce = 'The x-nonce header must be a UUID v4';
  const signature = 'The x-signature header must be 64 hexadecimal characters';

  it.each<[string, Record<string, string>]>([
    ...['now', '1700000000.5', '17e8', '+1700000000', '-1700000000', '1700000000000'].map(
      (value): [string, Record<string, string>] => [timestamp, { timestamp: value }],
    ),
    [nonce, { nonce: 'nonce' }],
    [nonce, { nonce: '01a1fcf1-53ad-7174-853d-d701385fe9c0' }],
    [nonce, { nonce: randomUUID().replaceAll('-', '') }],
    [nonce, { nonce: `${randomUUID()}0` }],
    [nonce, { nonce: '6ba7b810-9dad-41d1-c0b4-00c04fd430c8' }],
    [signature, { signature: 'a'.repeat(63) }],
    [signature, { signature: 'a'.repeat(65) }],
    [signature, { signature: `${'a'.repeat(63)}g` }],
  ])('%s: %o', async (error, overrides) => {
    expect(await key.client.get('/products', { overrides })).toBeFailure(malformed(error));
  });

  it('Authorization of another form', async () => {
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer one two']) {
      for (const apiKey of [key.apiKey, null]) {
        const headers = { authorization, 'x-api-key': apiKey };
        const answer = await key.client.get('/products', { headers });
        expect(answer).toBeFailure(malformed('The Authorization header must be Bearer <API key>'));
      }
    }
  });
});

/** The response without the workbench link, which is different each time. */
function withoutLink(json: { data?: object }): object {
  if (!json.data || !('expiresAt' in json.data)) return json;
  return { ...json, data: Object.keys(json.data) };
}

describe('both ways of naming the key', () => {
  it('x-api-key alone is taken on every route, and so is Authorization: Bearer alone', async () => {
    for (const { method, target } of partnerRoutesOf(service)) {
      const body = method === 'POST' ? '{}' : undefined;
      const plain = await key.client.request(method, target, { body });
      const bearer = await key.client.request(method, target, { body, bearer: true });
      expect([200, 400, 404]).toContain(plain.status);
      expect({ target, status: bearer.status, json: withoutLink(bearer.json) }).toEqual({
        target,
        status: plain.status,
        json: withoutLink(plain.json),
      });
    }
  });

  it('together and alike are taken, the scheme in any case', async () => {
    for (const [scheme, apiKey] of [
      ['Bearer', key.apiKey],
      ['BEARER', null],
    ]) {
      const headers = { 'x-api-key': apiKey, authorization: `${scheme} ${key.apiKey}` };
      expect((await key.client.get('/products', { headers })).status).toBe(200);
    }
  });

  it('together and different are refused, though each is a good key', async () => {
    const other = await issueKey(service);
    const expected = malformed('The x-api-key and Authorization headers name different keys');
    await expectNoTrace(service, async () => {
      for (const signer of [key, other]) {
        const headers = { 'x-api-key': key.apiKey, authorization: `Bearer ${other.apiKey}` };
        expect(await signer.client.get('/products', { headers })).toBeFailure(expected);
      }
    });
  });

  it('a journey session never goes in Authorization', async () => {
    const { json } = await key.client.initiate(loanRequest());
    const { journeyId, journeySession } = json.data;
    const headers = { 'x-api-key': null, authorization: `Bearer ${journeySession}` };
    expect(await key.client.get(`/journey/${journeyId}`, { headers })).toBeRefused(
      'invalid_signature',
    );
  });

  it('header names are taken in any case', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = randomUUID();
    const target = '/api/v1/partner/products';
    const parts = { method: 'GET', target, timestamp, nonce, body: '' };
    const headers = {
      'X-API-KEY': key.apiKey,
      'X-Timestamp': timestamp,
      'x-NONCE': nonce,
      'X-Signature': sign(key.apiSecret, parts),
    };
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(service.baseUrl + target, { headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end();
    });
    expect(status).toBe(200);
  });
});
