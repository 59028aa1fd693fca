// Isolated: runs in production.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModulesContainer } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiKey, makeApiSecret } from '../../../src/auth/index.js';
import { Database, projectPath, RandomSource } from '../../../src/platform/index.js';
import { signedWebhook, type Webhook } from '../../support/fake-razorpay.js';
import { HostedClient } from '../../support/hosted-client.js';
import { loanRequest } from '../../support/loan-requests.js';
import { PartnerClient, partnerClient } from '../../support/partner-client.js';
import { PRODUCTION_GATEWAYS } from '../../support/production-configuration.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { servedRoutes } from '../../support/served-routes.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { sendBytes } from '../../support/wire.js';
import '../auth/answer-matchers.js';
import { partnerRoutesOf } from '../auth/auth-harness.js';
import { docsPages, documentedCalls, lostLinks } from '../docs/docs-pages.js';
import { logged, named } from '../request-log/request-log-bench.js';
import { type ProductionService, startProduction } from './production-service.js';

const random = new RandomSource();
const LIVE = {
  apiKey: makeApiKey('rinpath', 'live', random),
  apiSecret: makeApiSecret('rinpath', 'live', random),
};
const SCOPES = ['journeys:write', 'journeys:read', 'products:read', 'webhooks:manage'];
const KEY = { ...LIVE, name: 'live', scopes: SCOPES, products: ['ONLINE_PERSONAL'] };
const WRONG = { overrides: { signature: 'a'.repeat(64) } };

let sandbox: TestService;
let production: ProductionService;
let live: PartnerClient;

beforeAll(async () => {
  sandbox = await sharedService();
  production = await startProduction({
    settings: undefined,
    partners: [{ id: 'acme', name: 'Acme', keys: [KEY] }],
  });
  live = liveClient(LIVE);
});

afterAll(() => production?.close());

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

  it('with a wrong signature or an old timestamp gets no hint, in the answer or the log, and the answer of an unknown one', async () => {
    expect((await live.get('/products')).status).toBe(200);
    const { requestId, headers } = named();
    const known = await live.get('/products', { ...WRONG, headers });
    const old = await live.get('/products', { overrides: { timestamp: '1700000000' } });
    const unknown = { ...LIVE, apiKey: makeApiKey('rinpath', 'live', random) };
    for (const answer of [known, old, await liveClient(unknown).get('/products', WRONG)]) {
      expect(answer).toBeRefused('invalid_signature');
      expect({ ...answer.json, requestId: '' }).toEqual({ ...known.json, requestId: '' });
    }
    const fields = ['success', 'error', 'code', 'requestId', 'docs'];
    expect(Object.keys(known.json)).toEqual(fields);
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

const FOLDER = projectPath('src/sandbox');
const CLASS = /^export (?:abstract )?class (\w+)/gm;

/** Every class in the folder of simulations, future ones included. */
const SIMULATED = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .flatMap((file) => [...readFileSync(join(FOLDER, file), 'utf8').matchAll(CLASS)])
  .map(([, name]) => name);

/** The names of all modules, controllers and providers. */
function partsOf(service: TestService): Set<string> {
  const modules = [...service.get<ModulesContainer>(ModulesContainer).values()];
  const names = modules.flatMap(({ name, controllers, providers }) => [
    name,
    ...[...controllers.values(), ...providers.values()].map((part) => part.name),
  ]);
  return new Set(names.map((name: unknown) => String(name)));
}

const isOfTheSandbox = ({ path }: { path: string }) => /\/sandbox(\/|$)/.test(path);

describe('what simulates the outside world', () => {
  it('is 404 in production under every address that the sandbox has', async () => {
    expect(servedRoutes(production).filter(isOfTheSandbox)).toEqual([]);
    const addresses = servedRoutes(sandbox).filter(isOfTheSandbox);
    expect(addresses.map(({ path }) => path)).toContain('/sandbox/provider/:token');
    for (const { method, path } of addresses) {
      const target = path.replaceAll(/:\w+/g, 'rdr_0123.abc');
      const response = await fetch(`${production.address}${target}`, {
        method,
        redirect: 'manual',
        ...(method === 'POST' && { body: 'decision=approve' }),
      });
      expect([method, path, response.status]).toEqual([method, path, 404]);
    }
  });

  it('is made in the sandbox, and no part of it in production', () => {
    const made = (parts: Set<string>) => SIMULATED.filter((name) => parts.has(name));
    expect(made(partsOf(sandbox)).length).toBeGreaterThan(5);
    expect(partsOf(production)).toContain('ApplicantWebModule');
    expect(made(partsOf(production))).toEqual([]);
  });
});

it('payments in production take Razorpay’s callbacks with the secret of the configuration only', async () => {
  const post = (path: string, { headers, body }: Webhook) =>
    fetch(`${production.address}${path}`, { method: 'POST', headers, body });
  const event = { event: 'payment_link.paid' };
  const { webhookSecret } = PRODUCTION_GATEWAYS.payment.razorpay;
  for (const [path, callback, status] of [
    ['/callbacks/payments/razorpay', signedWebhook(event, 'evt_1', webhookSecret), 200],
    ['/callbacks/payments/razorpay', signedWebhook(event, 'evt_2', 'another'), 401],
    ['/callbacks/payments/sandbox', signedWebhook({}, 'evt_3'), 404],
    ['/sandbox/payment/any', signedWebhook({}, 'evt_3'), 404],
  ] as const) {
    expect([path, (await post(path, callback)).status]).toEqual([path, status]);
  }
});
