import { beforeAll, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { sendBytes, signedLines } from '../../support/wire.js';
import {
  expectNoTrace,
  issueKey,
  partnerRoutesOf,
  type Route,
  type TestKey,
} from './auth-harness.js';

// Check 1 of decisions §2: the headers are there and well-formed. Every form: src/auth/request-credentials.spec.ts.

const service = serviceOfFile();
let key: TestKey;
let routes: Route[];

beforeAll(async () => {
  key = await issueKey(service);
  routes = partnerRoutesOf(service);
});

it('a call without its headers is a 401 that names the first, on every route that the service has, with the /api prefix and without', async () => {
  expect(routes.length).toBeGreaterThanOrEqual(22);
  expect(routes.filter(({ target }) => target.startsWith('/v1/'))).toHaveLength(routes.length / 2);
  await expectNoTrace(service, async () => {
    for (const { method, target } of routes) {
      const answer = await key.client.request(method, target, {
        headers: { 'x-api-key': null, 'x-timestamp': null, 'x-nonce': null, 'x-signature': null },
      });
      const error = 'The x-api-key header is missing';
      expect(answer).toBeFailure({ status: 401, code: 'malformed_credentials', error });
    }
  });
});

it('Authorization: Bearer alone is taken on every route', async () => {
  for (const { method, target } of routes) {
    if (!target.startsWith('/api/')) continue;
    const body = method === 'POST' ? '{}' : undefined;
    const { status } = await key.client.request(method, target, { body, bearer: true });
    expect([target, [200, 400, 404].includes(status)]).toEqual([target, true]);
  }
});

it('a journey session never goes in Authorization', async () => {
  const { json } = await key.client.initiate(loanRequest({ channel: 'API_HEADLESS' }));
  const { journeyId, journeySession } = json.data;
  const headers = { 'x-api-key': null, authorization: `Bearer ${journeySession}` };
  expect(await key.client.get(`/journey/${journeyId}`, { headers })).toBeRefused(
    'invalid_signature',
  );
});

it('header names are taken in any case', async () => {
  const target = '/api/v1/partner/products';
  const head = `GET ${target} HTTP/1.1\r\nHOST: localhost\r\n${signedLines(key, 'GET', target)}`;
  expect(head).toMatch(/^X-API-KEY: .*\r\nX-Timestamp: .*\r\nx-NONCE: /m);
  expect((await sendBytes(service.baseUrl, `${head}\r\n`)).status).toBe(200);
});
