// Isolated: stops time in its database, runs in production, and starts with other environments.
import './answer-matchers.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { makeApiKey, makeApiSecret } from '../../../src/auth/index.js';
import { SignatureExplainer } from '../../../src/auth/signature-explainer.js';
import { Database, RandomSource } from '../../../src/platform/index.js';
import { PRODUCTION_DEPLOYMENT, PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { type Answer, PartnerClient } from '../../support/partner-client.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { type OwnService, startService } from '../../support/service.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';
import { logged, named } from '../request-log/request-log-bench.js';
import {
  clientOf,
  expectNoTrace,
  issueKey,
  remainingOf,
  statusesOf,
  StoppedClock,
  type TestKey,
} from './auth-harness.js';

describe('an address', () => {
  // Decisions §2: requests that fail before they are counted against a key are limited per address.

  let service: OwnService;
  let clock: StoppedClock;
  let key: TestKey;

  async function start(environment: Record<string, string> = {}): Promise<void> {
    service = await startService({ environment });
    clock = await StoppedClock.stop([service], new Date('2026-06-15T12:00:00+05:30'));
  }

  async function stop(): Promise<void> {
    vi.restoreAllMocks();
    await service.close();
  }

  beforeEach(async () => {
    key = await issueKey(service, { perMinute: 50 });
    // What the test before has used up is over.
    await clock.forward(60);
  });

  function unsigned(client: PartnerClient, from?: string): Promise<Answer> {
    const headers = { 'x-signature': null, ...(from && { 'x-forwarded-for': from }) };
    return client.get('/products', { headers });
  }

  async function fail(count: number, from?: string): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (answers.length < count) {
      const batch = Math.min(20, count - answers.length);
      answers.push(
        ...(await Promise.all(Array.from({ length: batch }, () => unsigned(key.client, from)))),
      );
    }
    return answers;
  }

  const missing = {
    status: 401,
    code: 'malformed_credentials',
    error: 'The x-signature header is missing',
  };

  describe('requests of one address that fail before they are counted against a key', () => {
    beforeAll(() => start());

    afterAll(stop);

    it('are 600 a minute, and leave nothing in the database; then they are 429 until Retry-After, and a good caller beside them is served still', async () => {
      const explain = vi.spyOn(service.get<SignatureExplainer>(SignatureExplainer), 'explain');
      const wrong = () => key.client.get('/products', { overrides: { signature: 'a'.repeat(64) } });
      expect((await wrong()).json).toHaveProperty('hint');
      await clock.forward(20);
      await expectNoTrace(service, async () => {
        const failures = await fail(599);
        expect(statusesOf(failures)).toEqual({ 401: 599 });
        expect(failures.map(remainingOf).toSorted((a, b) => b - a)).toEqual(
          Array.from({ length: 599 }, (_, n) => 598 - n),
        );
        await fail(10);
      });
      const refused = await unsigned(key.client);
      expect(refused).toBeRefused('rate_limited');
      expect(refused.headers).toMatchObject({
        'ratelimit-limit': '600',
        'ratelimit-remaining': '0',
        'ratelimit-policy': '600;w=60',
        'ratelimit-reset': '40',
        'retry-after': '40',
      });
      // To make a hint costs more than all else.
      expect(await wrong()).toBeRefused('rate_limited');
      expect(explain).toHaveBeenCalledTimes(1);
      const good = await key.client.get('/products');
      expect({ status: good.status, remaining: remainingOf(good) }).toEqual({
        status: 200,
        remaining: 49,
      });
      // Whom the key's own limits answer for gets the answer that the call deserves.
      expect(await key.client.initiate({})).toBeRefused('validation_failed');
      expect(await key.client.get('/journey/unknown')).toBeRefused('journey_not_found');
      await clock.forward(39);
      expect(await unsigned(key.client)).toBeRefused('rate_limited');
      await clock.forward(1);
      const again = await unsigned(key.client);
      expect(again).toBeFailure(missing);
      expect(remainingOf(again)).toBe(599);
    });

    it('are of every kind: each one takes one from what remains', async () => {
      const nonce = '0f8fad5b-d9cb-469f-a165-70867728950e';
      await key.client.get('/products', { overrides: { nonce } });
      const suspended = clientOf(service, sandboxCredentials('suspended'));
      const failures = [
        await unsigned(key.client),
        await key.client.get('/products', { overrides: { apiKey: 'nobody' } }),
        await key.client.get('/products', { overrides: { signature: 'a'.repeat(64) } }),
        await key.client.get('/products', { overrides: { timestamp: '1700000000' } }),
        await suspended.get('/products'),
        await key.client.get('/products', { overrides: { nonce } }),
        await key.client.get('/nothing'),
        await key.client.post('/webhooks', 'x'.repeat(200_000)),
      ];
      expect(failures.map(({ status }) => status)).toEqual([
        401, 401, 401, 401, 403, 401, 404, 413,
      ]);
      expect(failures.map(remainingOf)).toEqual([599, 598, 597, 596, 595, 594, 593, 592]);
    });

    it('are one address’s, whatever X-Forwarded-For says, when no proxy is trusted', async () => {
      expect(remainingOf(await unsigned(key.client, '203.0.113.1'))).toBe(599);
      expect(remainingOf(await unsigned(key.client, '203.0.113.2'))).toBe(598);
    });
  });

  describe('behind a proxy that TRUST_PROXY names', () => {
    beforeAll(() => start({ TRUST_PROXY: '1' }));

    afterAll(stop);

    it('every client has a limit of its own, and cannot shed it by a header of its own', async () => {
      await fail(600, '203.0.113.1');
      expect(await unsigned(key.client, '203.0.113.1')).toBeRefused('rate_limited');
      expect(await unsigned(key.client, '198.51.100.7, 203.0.113.1')).toBeRefused('rate_limited');
      const other = await unsigned(key.client, '203.0.113.2');
      expect(other).toBeFailure(missing);
      expect(remainingOf(other)).toBe(599);
      // A browser that is refused is led nowhere but here.
      const page = await fetch(`${service.baseUrl}//elsewhere.example/x`, {
        headers: { accept: 'text/html', 'x-forwarded-for': '203.0.113.1' },
      });
      expect(page.status).toBe(429);
      const links = [...(await page.text()).matchAll(/<a [^>]*href="([^"]*)"/g)].map(
        ([, to]) => to,
      );
      expect(links).toContain('/elsewhere.example/x');
      expect(links.filter((to) => to.startsWith('//'))).toEqual([]);
    });

    it('an IPv6 client has the limit of its /64, whichever of its addresses it takes', async () => {
      await Promise.all([
        fail(300, '2001:db8:7:1::1'),
        fail(300, '2001:db8:7:1:ffff:ffff:ffff:ffff'),
      ]);
      expect(await unsigned(key.client, '2001:db8:7:1:a::b')).toBeRefused('rate_limited');
      expect(remainingOf(await unsigned(key.client, '2001:db8:7:2::1'))).toBe(599);
    });
  });
});

describe('in production', () => {
  // A service in production mode, with a database and a configuration of its own.

  const random = new RandomSource();

  const LIVE = {
    apiKey: makeApiKey('rinpath', 'live', random),
    apiSecret: makeApiSecret('rinpath', 'live', random),
  };

  const directory = mkdtempSync(join(tmpdir(), 'rinpath-production-'));
  let database: TestDatabase;
  let service: OwnService;
  let client: PartnerClient;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    service = await startService({
      databaseUrl: database.url,
      environment: PRODUCTION_VARIABLES,
    });
    const file = join(directory, 'production.yaml');
    writeFileSync(file, productionFile());
    const applied = await service
      .get<ConfigurationApplier>(ConfigurationApplier)
      .apply(file, PRODUCTION_DEPLOYMENT);
    if (applied.outcome !== 'APPLIED') throw new Error(`The file is ${applied.outcome}`);
    client = clientWith(LIVE);
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  /** One partner with one live key; the settings are left to the mode. */
  function productionFile(): string {
    const key = {
      name: 'live',
      ...LIVE,
      scopes: ['products:read', 'journeys:write', 'webhooks:manage'],
      products: ['ONLINE_PERSONAL'],
    };
    const partners = [{ id: 'acme', name: 'Acme', keys: [key] }];
    return productionConfiguration({ partners, settings: undefined });
  }

  /** Its BASE_URL is the public one, so the port is asked of the server that listens. */
  function clientWith(key: { apiKey: string; apiSecret: string }): PartnerClient {
    const { port } = service.app.getHttpServer().address() as { port: number };
    return new PartnerClient({ ...key, baseUrl: `http://127.0.0.1:${port}` });
  }

  /** Puts a key into the database by hand, with the secret of the live one. */
  async function insertKey(apiKey: string, mode: 'test' | 'live'): Promise<void> {
    await service.get<Database>(Database).query(
      `INSERT INTO api_keys (id, partner_id, name, origin, mode, key_hash, hint, secret_sealed,
       scopes, products, minute_limit, day_limit)
     SELECT $1, partner_id, $1, origin, $2, encode(sha256(convert_to($1, 'UTF8')), 'hex'), hint,
       secret_sealed, scopes, products, minute_limit, day_limit
     FROM api_keys WHERE name = 'live'`,
      [apiKey, mode],
    );
  }

  it('a partner may have 20 webhook subscriptions where the file does not say how many', async () => {
    const register = () => client.post('/webhooks', { url: 'https://partner.example/hooks' });
    for (let count = 0; count < 20; count += 1) expect((await register()).status).toBe(200);
    expect(await register()).toMatchObject({
      status: 400,
      json: { code: 'subscription_limit_reached' },
    });
  });

  it('a live key is served', async () => {
    const { status, json } = await client.get<{ products: { code: string }[] }>('/products');
    expect(status).toBe(200);
    expect(json.data.products.map(({ code }) => code)).toEqual(['ONLINE_PERSONAL']);
  });

  it('a wrong signature or an old timestamp of a known key gets no hint', async () => {
    const wrong = [{ signature: 'a'.repeat(64) }, { timestamp: '1700000000' }];
    for (const overrides of wrong) {
      const answer = await client.get('/products', { overrides });
      expect(answer).toBeRefused('invalid_signature');
      expect(Object.keys(answer.json)).toEqual(['success', 'error', 'code']);
    }
  });

  it('the log has a refused signature without what the server signed', async () => {
    const { requestId, headers } = named();
    await client.get('/products', { overrides: { signature: 'a'.repeat(64) }, headers });
    expect(await logged(service, { requestId }, 'acme')).toMatchObject({
      code: 'invalid_signature',
      refused: null,
    });
  });

  it('a known key and one that nobody has get the same bytes', async () => {
    const overrides = { signature: 'a'.repeat(64) };
    const known = await client.get('/products', { overrides });
    const unknown = await clientWith({
      apiKey: makeApiKey('rinpath', 'live', random),
      apiSecret: LIVE.apiSecret,
    }).get('/products', { overrides });
    expect(unknown.body.toString()).toBe(known.body.toString());
    expect(unknown.status).toBe(401);
  });

  it('a test key is refused, even one whose row is in the database', async () => {
    const demo = sandboxCredentials('demo');
    expect(await clientWith(demo).get('/products')).toBeRefused('invalid_signature');
    for (const row of ['test', 'live'] as const) {
      const test = { ...LIVE, apiKey: makeApiKey('rinpath', 'test', random) };
      await insertKey(test.apiKey, row);
      expect(await clientWith(test).get('/products')).toBeRefused('invalid_signature');
    }
  });

  it('a live key is refused whose row says that it is for tests', async () => {
    const live = { ...LIVE, apiKey: makeApiKey('rinpath', 'live', random) };
    await insertKey(live.apiKey, 'test');
    expect(await clientWith(live).get('/products')).toBeRefused('invalid_signature');
  });
});
