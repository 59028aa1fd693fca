import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type CallOptions } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { issueKey, remainingOf, type TestKey } from './auth-harness.js';

// Decisions §3 and §4: the headers and the envelope of every response, whichever part of the server writes it.

const service = serviceOfFile();
let key: TestKey;

beforeAll(async () => {
  key = await issueKey(service);
});

type Call = (options: CallOptions) => Promise<Answer<unknown>>;

/** One call for each part of the server that responds; `toBeRefused` checks the same for all other refusals. */
const CALLS: [string, number, Call][] = [
  ['a list', 200, (options) => key.client.get('/products', options)],
  ['a body that breaks a rule', 400, (options) => key.client.initiate({}, options)],
  [
    'a path that is no URL',
    400,
    (options) => key.client.request('GET', '/v1/partner/leads/%/status', options),
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
  ['an unknown route', 404, (options) => key.client.get('/nothing', options)],
  [
    'a path in capitals that a browser asks for',
    404,
    ({ headers }) => {
      const accept = { ...headers, accept: 'text/html' };
      return key.client.request('GET', '/API/V1/Partner/nothing', { headers: accept });
    },
  ],
  ['an address outside the API', 404, (options) => key.client.request('GET', '/nothing', options)],
  ['another method', 405, (options) => key.client.call('PATCH', '/products', options)],
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
