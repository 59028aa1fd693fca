import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { type Answer, type CallOptions } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { issueKey, remainingOf, type TestKey, UNKNOWN_JOURNEY } from './auth-harness.js';

// Decisions §3 and §4: the headers and the envelope of every response, whichever part of the server writes it.

let service: TestService;
let key: TestKey;

beforeAll(async () => {
  service = await sharedService();
  key = await issueKey(service);
});

type Call = (options: CallOptions) => Promise<Answer<unknown>>;

const CALLS: [string, number, Call][] = [
  ['a list', 200, (options) => key.client.get('/products', options)],
  ['a read without the prefix', 200, (o) => key.client.request('GET', '/v1/partner/leads', o)],
  ['a body that breaks a rule', 400, (options) => key.client.initiate({}, options)],
  ['a body that is no JSON', 400, (options) => key.client.initiate('{', options)],
  [
    'a path that is no URL',
    400,
    (o) => key.client.request('GET', '/api/v1/partner/leads/%/status', o),
  ],
  [
    'a missing header',
    401,
    ({ headers }) => key.client.get('/products', { headers: { ...headers, 'x-nonce': null } }),
  ],
  [
    'a wrong signature',
    401,
    (o) => key.client.get('/products', { ...o, overrides: { signature: 'a'.repeat(64) } }),
  ],
  [
    'a used nonce',
    401,
    async (options) => {
      const overrides = { nonce: randomUUID() };
      await key.client.get('/products', { overrides });
      return key.client.get('/products', { ...options, overrides });
    },
  ],
  [
    'a missing session',
    401,
    async (options) => {
      const { json } = await key.client.initiate(loanRequest());
      return key.client.journey(json.data.journeyId, undefined, options);
    },
  ],
  [
    'a missing scope',
    403,
    async (options) => {
      const { client } = await issueKey(service, { scopes: [] });
      return client.get('/products', options);
    },
  ],
  ['an unknown journey', 404, (options) => key.client.journey(UNKNOWN_JOURNEY, undefined, options)],
  ['an unknown route', 404, (options) => key.client.get('/nothing', options)],
  ['another method', 405, (options) => key.client.call('PATCH', '/products', options)],
  ['an address outside the API', 404, (options) => key.client.request('GET', '/nothing', options)],
  [
    'a wrong step',
    409,
    async (options) => {
      const { json } = await key.client.initiate(loanRequest({ channel: 'API_HOSTED' }));
      return key.client.action(
        json.data.journeyId,
        undefined,
        'SELECT_OFFER',
        { offerId: 'x' },
        options,
      );
    },
  ],
  ['a large body', 413, (options) => key.client.post('/webhooks', 'x'.repeat(200_000), options)],
  [
    'a limit',
    429,
    async (options) => {
      const { client } = await issueKey(service, { perMinute: 1 });
      await client.get('/products');
      return client.get('/products', options);
    },
  ],
];

describe('every answer has the headers of the limits, an id, and forbids storing', () => {
  it.each(CALLS)('%s: %i, and the id that the caller gave', async (_, status, call) => {
    const answer = await call({});
    expect([answer.status, answer.json.success]).toEqual([status, status === 200]);
    expect(answer).toHaveCommonHeaders();
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
    for (const name of ['x-powered-by', 'server', 'etag']) {
      expect(answer.headers).not.toHaveProperty(name);
    }
    const named = await call({ headers: { 'x-request-id': 'Order-17.a:b_c' } });
    expect([named.status, named.headers['x-request-id']]).toEqual([status, 'Order-17.a:b_c']);
  });

  it('that no key is asked for, too, and it takes nothing from what remains', async () => {
    const answers = [
      await key.client.request('GET', '/health/live'),
      await key.client.request('GET', '/health/live'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const answer of answers) expect(answer).toHaveCommonHeaders();
    expect(remainingOf(answers[1])).toBe(remainingOf(answers[0]));
  });
});

it('an X-Request-Id that is not a sane one is replaced', async () => {
  const long = 'a'.repeat(128);
  for (const given of ['', 'a b', '<script>', 'caf\u00e9', `${long}a`, ['a', 'b'], long]) {
    const { headers } = await key.client.get('/products', { headers: { 'x-request-id': given } });
    expect(headers['x-request-id']).toMatch(given === long ? /^a{128}$/ : /^req_[0-9a-f]{32}$/);
  }
});
