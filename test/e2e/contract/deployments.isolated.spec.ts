// Isolated: runs in production mode, and as a sandbox with public access.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeApiKey, makeApiSecret } from '../../../src/auth/index.js';
import { ProcessorMeter } from '../../../src/platform/http/address-limiter.js';
import {
  AddressLimiter,
  Database,
  RandomSource,
  type RawRequest,
} from '../../../src/platform/index.js';
import { freePort } from '../../support/free-port.js';
import { HostedClient } from '../../support/hosted-client.js';
import { loanRequest } from '../../support/loan-requests.js';
import { PartnerClient, partnerClient } from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { routesWithoutKey } from '../../support/served-routes.js';
import { type OwnService, startService, type TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { sendBytes } from '../../support/wire.js';
import '../auth/answer-matchers.js';
import { clientOf, partnerRoutesOf } from '../auth/auth-harness.js';
import { docsPages, documentedCalls, lostLinks } from '../docs/docs-pages.js';
import { logged, named } from '../request-log/request-log-bench.js';
import { addressOf, type ProductionService, startProduction } from './production-service.js';

const random = new RandomSource();
const LIVE = {
  apiKey: makeApiKey('rinpath', 'live', random),
  apiSecret: makeApiSecret('rinpath', 'live', random),
};
const SCOPES = ['journeys:write', 'journeys:read', 'products:read', 'webhooks:manage'];
const KEY = { ...LIVE, name: 'live', scopes: SCOPES, products: ['ONLINE_PERSONAL'] };
const WRONG = { overrides: { signature: 'a'.repeat(64) } };

let sandbox: TestService;
/** A public sandbox, with a port for the operator. */
let elsewhere: OwnService;
let operator: string;
let production: ProductionService;
let live: PartnerClient;

beforeAll(async () => {
  const port = await freePort();
  operator = `http://127.0.0.1:${port}`;
  sandbox = await sharedService();
  const environment = {
    BASE_URL: 'https://sandbox.loans.example',
    SANDBOX_OPEN: 'true',
    OPERATOR_PORT: String(port),
  };
  elsewhere = await startService({ environment });
  // The tests decide when the processor is overloaded, not the machine.
  vi.spyOn(elsewhere.get<ProcessorMeter>(ProcessorMeter), 'begin').mockReturnValue(() => 0);
  production = await startProduction({
    settings: undefined,
    partners: [{ id: 'acme', name: 'Acme', keys: [KEY] }],
  });
  live = liveClient(LIVE);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all([elsewhere?.close(), production?.close()]);
});

function liveClient(key: { apiKey: string; apiSecret: string }): PartnerClient {
  return new PartnerClient({ ...key, baseUrl: production.address });
}

async function ask(address: string, host: string, path: string) {
  const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n\r\n`;
  return sendBytes(address, head);
}

describe('sandbox and production', () => {
  it('serve the same calls under the same paths, but for those below `sandbox/`', () => {
    const routes = partnerRoutesOf(sandbox);
    const ofBoth = routes.filter(({ target }) => !target.includes('/v1/partner/sandbox/'));
    expect(ofBoth.length).toBeGreaterThan(20);
    expect(routes.length).toBeGreaterThan(ofBoth.length);
    expect(partnerRoutesOf(production)).toEqual(ofBoth);
  });

  it('differ in how often a journey is to be read: every 2 seconds, every 5', async () => {
    const intervalOf = async (client: PartnerClient) => {
      const { json } = await client.initiate(loanRequest({ channel: 'API_HOSTED' }));
      return (await client.journey(json.data.journeyId)).json.data.pollIntervalSeconds;
    };
    expect([await intervalOf(partnerClient(sandbox)), await intervalOf(live)]).toEqual([2, 5]);
  });
});

describe('a key in production', () => {
  /** Inserts a key directly, with the secret of the live one. */
  async function insertKey(apiKey: string, mode: 'test' | 'live'): Promise<void> {
    await production.get<Database>(Database).query(
      `INSERT INTO api_keys (id, partner_id, name, origin, mode, key_hash, hint, secret_sealed,
         scopes, products, minute_limit, day_limit)
       SELECT $1, partner_id, $1, origin, $2, encode(sha256(convert_to($1, 'UTF8')), 'hex'), hint,
         secret_sealed, scopes, products, minute_limit, day_limit
       FROM api_keys WHERE name = 'live'`,
      [apiKey, mode],
    );
  }

  it('with a wrong signature or an old timestamp gets no hint, in the answer or the log, and the bytes of an unknown one', async () => {
    expect((await live.get('/products')).status).toBe(200);
    const { requestId, headers } = named();
    const known = await live.get('/products', { ...WRONG, headers });
    const old = await live.get('/products', { overrides: { timestamp: '1700000000' } });
    const unknown = { ...LIVE, apiKey: makeApiKey('rinpath', 'live', random) };
    for (const answer of [known, old, await liveClient(unknown).get('/products', WRONG)]) {
      expect(answer).toBeRefused('invalid_signature');
      expect(answer.body.toString()).toBe(known.body.toString());
    }
    expect(Object.keys(known.json)).toEqual(['success', 'error', 'code']);
    expect(await logged(production, { requestId }, 'acme')).toMatchObject({
      code: 'invalid_signature',
      refused: null,
    });
  });

  it('that is a test key is refused, even one whose row is in the database, and so is a live key of a test row', async () => {
    const demo = sandboxCredentials('demo');
    expect(await liveClient(demo).get('/products')).toBeRefused('invalid_signature');
    for (const [kind, row] of [
      ['test', 'test'],
      ['test', 'live'],
      ['live', 'test'],
    ] as const) {
      const key = { ...LIVE, apiKey: makeApiKey('rinpath', kind, random) };
      await insertKey(key.apiKey, row);
      expect(await liveClient(key).get('/products')).toBeRefused('invalid_signature');
    }
  });

  it('may have 20 webhook subscriptions where the file does not say how many', async () => {
    const register = () => live.post('/webhooks', { url: 'https://partner.example/hooks' });
    for (let count = 0; count < 20; count += 1) expect((await register()).status).toBe(200);
    expect((await register()).json.code).toBe('subscription_limit_reached');
  });

  it('fails for the address of its connection, whatever X-Forwarded-For says, when no proxy is trusted', async () => {
    const remaining = async (from: string) => {
      const headers = { 'x-signature': null, 'x-forwarded-for': from };
      const answer = await live.get('/products', { headers });
      return Number(answer.headers['ratelimit-remaining']);
    };
    const first = await remaining('203.0.113.1');
    expect(await remaining('203.0.113.2')).toBe(first - 1);
  });
});

describe('pages in production', () => {
  it('have their own address, no key, Strict-Transport-Security and any name that leads there', async () => {
    const { address } = production;
    const document = await (await fetch(`${address}/openapi.json`)).text();
    expect(JSON.parse(document)).toMatchObject({ servers: [{ url: 'https://loans.example' }] });
    const page = await (await fetch(`${address}/docs/try`)).text();
    expect(page).not.toMatch(/name="api|rinpath_(test|secret)/);
    for (const path of ['/returned', '/api/v1/partner/products', '/openapi.json', '/x']) {
      const { headers } = await ask(address, 'loans.example', path);
      expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
    }
    expect((await ask(address, '10.1.2.3', '/openapi.json')).status).toBe(200);
  });

  it('have no workbench without a session, and none that checks signatures', async () => {
    const browser = new HostedClient(production.address);
    expect((await browser.get('/')).status).toBe(404);
    expect((await browser.get('/workbench/signature')).status).toBe(404);
    for (const path of ['/workbench', '/workbench/journeys', '/workbench/guide']) {
      const page = await browser.get(path);
      expect([page.status, page.heading]).toEqual([401, 'The workbench']);
    }
  });

  it('document every call but the sandbox’s, link nothing that is not there and have no key', async () => {
    const { address } = production;
    const shown = await docsPages(address);
    for (const { name, path } of await documentedCalls(sandbox.baseUrl)) {
      const page = `/docs/reference/${name}`;
      const isOfTheSandbox = path.startsWith('/api/v1/partner/sandbox/');
      expect([page, shown.has(page)]).toEqual([page, !isOfTheSandbox]);
      expect((await fetch(address + page)).status).toBe(isOfTheSandbox ? 404 : 200);
    }
    expect(await lostLinks(address, shown)).toEqual([]);
    const forbidden = /rinpath_(test|secret_test)_\w{30}|href="\/(sandbox|docs\/try)/;
    for (const [path, html] of shown) expect([path, forbidden.test(html)]).toEqual([path, false]);
    // A copied program must not start a real loan.
    expect(shown.get('/docs/quick-start')).not.toContain('https://loans.example');
  });
});

const DOCUMENTS = ['/openapi.json', '/lender-api/openapi.json', '/docs', '/docs/try'];

describe('a sandbox that others reach', () => {
  // Without its own cache header, `fetch` asks to bypass every cache.
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(addressOf(elsewhere) + path, { headers: { 'cache-control': 'max-age=0', ...headers } });

  it('has its own address in the examples, fills in no key, and any name leads there', async () => {
    const start = await (await get('/docs/quick-start')).text();
    expect(start).toContain('https://sandbox.loans.example');
    const page = await (await get('/docs/try')).text();
    expect(page).toContain('name="apiSecret"');
    for (const html of [start, page]) expect(html).not.toMatch(/rinpath_(test|secret)_\w{10}/);
    expect((await ask(addressOf(elsewhere), 'any.example', '/openapi.json')).status).toBe(200);
  });

  it('tags its documents and assets strongly, sends none to a client that has it, and tags again for another brand', async () => {
    const html = await (await get('/docs/try')).text();
    const assets = [...html.matchAll(/(?:src|href)="(\/docs\/assets[^"]*)"/g)].map(([, at]) => at);
    expect(assets.length).toBeGreaterThan(0);
    const tags = new Map<string, string>();
    for (const path of [...DOCUMENTS, ...assets]) {
      const first = await get(path);
      const tag = first.headers.get('etag') ?? '';
      expect([path, tag]).toEqual([path, expect.stringMatching(/^"[^"]+"$/)]);
      const again = await get(path, { 'if-none-match': tag });
      expect([path, again.status, (await again.arrayBuffer()).byteLength]).toEqual([path, 304, 0]);
      await first.arrayBuffer();
      tags.set(path, tag);
    }
    await elsewhere.get<Database>(Database).query(
      `UPDATE configuration SET revision = revision + 1,
         brand = brand || '{"displayName": "Other Lending"}'`,
    );
    await elsewhere.travel(5_000);
    for (const path of DOCUMENTS) {
      const now = await get(path, { 'if-none-match': tags.get(path)! });
      expect([path, now.status]).toEqual([path, 200]);
      expect(await now.text()).toContain('Other Lending');
    }
  });

  it('answers metrics and health at the operator’s port and nowhere else, and nothing else there', async () => {
    const statusAt = async (address: string) => (await fetch(address)).status;
    for (const path of ['/metrics', '/health/live', '/health/ready']) {
      expect([path, await statusAt(operator + path)]).toEqual([path, 200]);
    }
    for (const path of ['/metrics', '/health/live', '/health/ready', '/METRICS', '/metrics/']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/openapi.json', '/docs', '/api/v1/partner/products', '/sandbox/inbox']) {
      expect([path, await statusAt(operator + path)]).toEqual([path, 404]);
    }
  });
});

describe('every route without a key, while its address has used up its share of the processor', () => {
  /** Uses up the share of 127.0.0.1; the returned function frees it. */
  function takeUp(): () => void {
    const limiter = elsewhere.get<AddressLimiter>(AddressLimiter);
    const ends: (() => void)[] = [];
    try {
      for (;;) ends.push(limiter.beginWithoutKey({ ip: '127.0.0.1' } as RawRequest));
    } catch {
      return () => {
        for (const end of ends) end();
      };
    }
  }

  it.each(['application/json', 'text/html'])('is 429 with Retry-After, as %s', async (accept) => {
    // Routes that only the operator's port serves are 404 here, before any share is checked.
    const answered = routesWithoutKey(elsewhere).filter(
      ({ path }) => !/^\/(?:metrics|health)(?:\/|$)/.test(path),
    );
    const routes = [...answered, { method: 'GET', path: '/nothing' }];
    expect(routes.length).toBeGreaterThan(90);
    const free = takeUp();
    // In parallel, because each rejection is delayed by a second or more.
    const answers = await Promise.all(
      routes.map(async ({ method, path }) => {
        const address = addressOf(elsewhere) + path.replaceAll(/:\w+/g, 'abc');
        const answer = await fetch(address, { method, headers: { accept }, redirect: 'manual' });
        const { status, headers } = answer;
        return { asked: `${method} ${path}`, status, headers, text: await answer.text() };
      }),
    );
    const page = accept === 'text/html' ? '</html>' : '"code":"rate_limited"';
    for (const { asked, status, headers, text } of answers) {
      expect([asked, status]).toEqual([asked, 429]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
      const isOfLenders = asked.includes('/lender-api/v1/');
      expect(text).toContain(isOfLenders ? '"code":"too_many_requests"' : page);
    }
    const { apiKey, apiSecret } = sandboxCredentials('demo');
    const own = { ...elsewhere, baseUrl: addressOf(elsewhere) };
    expect((await clientOf(own, { apiKey, apiSecret }).get('/products')).status).toBe(200);
    free();
    expect((await fetch(`${addressOf(elsewhere)}/docs`)).status).toBe(200);
  });
});
