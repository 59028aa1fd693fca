import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { makeApiKey, makeApiSecret } from '../../../src/auth/index.js';
import { Database, ERROR_CATALOGUE, RandomSource } from '../../../src/platform/index.js';
import { PRODUCTION_DEPLOYMENT } from '../../support/deployments.js';
import { loanRequest } from '../../support/loan-requests.js';
import { PartnerClient, partnerClient } from '../../support/partner-client.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { startService, type OwnService } from '../../support/service.js';
import { partnerRoutesOf } from '../auth/auth-harness.js';
import { type ProductionService, startProduction } from './production-service.js';

let sandbox: OwnService;
let production: ProductionService;

beforeAll(async () => {
  sandbox = await startService();
  production = await startProduction();
});

afterAll(() => Promise.all([sandbox.close(), production.close()]));

describe('sandbox and production', () => {
  it('serve the same calls under the same paths, but for those below `sandbox/`', () => {
    const routes = partnerRoutesOf(sandbox);
    const ofBoth = routes.filter(({ target }) => !target.includes('/v1/partner/sandbox/'));
    expect(ofBoth.length).toBeGreaterThan(20);
    expect(routes.length).toBeGreaterThan(ofBoth.length);
    expect(partnerRoutesOf(production)).toEqual(ofBoth);
  });

  it('differ in how often a journey is to be read: every 2 seconds, every 5', async () => {
    expect(await pollIntervalOf(partnerClient(sandbox))).toBe(2);
    expect(await pollIntervalOf(await livePartner())).toBe(5);
  });
});

/** What a journey says that begins now. */
async function pollIntervalOf(client: PartnerClient): Promise<number> {
  const { status, json } = await client.initiate(loanRequest({ channel: 'API_HOSTED' }));
  expect([status, json.error]).toEqual([200, undefined]);
  return (await client.journey(json.data.journeyId)).json.data.pollIntervalSeconds;
}

/** A partner in production, whose file leaves the settings to the mode. */
async function livePartner(): Promise<PartnerClient> {
  const random = new RandomSource();
  const live = {
    apiKey: makeApiKey('rinpath', 'live', random),
    apiSecret: makeApiSecret('rinpath', 'live', random),
  };
  const key = {
    ...live,
    name: 'live',
    scopes: ['journeys:write', 'journeys:read'],
    products: ['ONLINE_PERSONAL'],
  };
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-gap-'));
  const path = join(folder, 'production.yaml');
  const partners = [{ id: 'acme', name: 'Acme', keys: [key] }];
  writeFileSync(path, productionConfiguration({ version: 1_000, settings: undefined, partners }));
  await production
    .get<ConfigurationApplier>(ConfigurationApplier)
    .apply(path, PRODUCTION_DEPLOYMENT);
  rmSync(folder, { recursive: true });
  return new PartnerClient({ ...live, baseUrl: production.address });
}

describe('the codes of errors', () => {
  it('are in snake case, all of them', () => {
    const codes = Object.keys(ERROR_CATALOGUE);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
  });
});

describe('nonces and counts', () => {
  it('stand in tables that survive a crash of PostgreSQL', async () => {
    const rows = await sandbox.get<Database>(Database).query(
      `SELECT relname AS name, relpersistence AS kept FROM pg_class
       WHERE relname IN ('request_nonces', 'api_key_windows') ORDER BY relname`,
    );
    expect(rows).toEqual([
      { name: 'api_key_windows', kept: 'p' },
      { name: 'request_nonces', kept: 'p' },
    ]);
  });
});
