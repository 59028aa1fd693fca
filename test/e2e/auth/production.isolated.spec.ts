// Isolated: runs in production.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { makeApiKey, makeApiSecret } from '../../../src/auth/index.js';
import { Database, RandomSource } from '../../../src/platform/index.js';
import { PRODUCTION_DEPLOYMENT, PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { PartnerClient } from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { startService, type OwnService } from '../../support/service.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';
import { logged, named } from '../request-log/request-log-bench.js';
import './answer-matchers.js';
import { productionConfiguration } from '../../support/production-configuration.js';

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

describe('in production', () => {
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

  it('nonces and limits hold as in the sandbox', async () => {
    const overrides = { nonce: '0f8fad5b-d9cb-469f-a165-70867728950e' };
    const first = await client.get('/products', { overrides });
    expect(first.headers['ratelimit-policy']).toBe('120;w=60, 20000;w=86400');
    expect(await client.get('/products', { overrides })).toBeRefused('nonce_reused');
  });
});
