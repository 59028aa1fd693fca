import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { BrandBook, Database, ERROR_CATALOGUE, projectPath } from '../../../src/platform/index.js';
import { PRODUCTION_DEPLOYMENT } from '../../support/deployments.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { startService, type TestService } from '../../support/service.js';
import { issueKey, partnerRoutesOf } from '../auth/auth-harness.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { type ProductionService, startProduction } from './production-service.js';

let sandbox: TestService;
let production: ProductionService;

beforeAll(async () => {
  sandbox = await startService();
  production = await startProduction();
});

afterAll(() => Promise.all([sandbox.close(), production.close()]));

describe('sandbox and production', () => {
  it('serve the same calls under the same paths', () => {
    const routes = partnerRoutesOf(sandbox);
    expect(routes.length).toBeGreaterThan(20);
    expect(partnerRoutesOf(production)).toEqual(routes);
  });

  it('differ in how often a journey is to be read: every 2 seconds, every 5', async () => {
    expect((await sandbox.get<BrandBook>(BrandBook).settings()).pollIntervalSeconds).toBe(2);
    const folder = mkdtempSync(join(tmpdir(), 'rinpath-gap-'));
    const file = join(folder, 'production.yaml');
    writeFileSync(file, productionConfiguration({ settings: undefined }));
    await production
      .get<ConfigurationApplier>(ConfigurationApplier)
      .apply(file, PRODUCTION_DEPLOYMENT);
    rmSync(folder, { recursive: true });
    const [row] = await production
      .get<Database>(Database)
      .query<{ seconds: number }>(
        `SELECT (settings ->> 'pollIntervalSeconds')::int AS seconds FROM configuration`,
      );
    expect(row.seconds).toBe(5);
  });
});

describe('variant B', () => {
  it('takes the channel and the product that the key is configured with', async () => {
    const key = await issueKey(sandbox, { products: ['ONLINE_BUSINESS'] });
    await sandbox.get<Database>(Database).query(
      `UPDATE api_keys SET default_channel = 'API_HOSTED', default_product = 'ONLINE_BUSINESS',
         version = version + 1
       WHERE id = $1`,
      [key.id],
    );
    const { status, json } = await key.client.initiate(shortLoanRequest());
    expect([status, json.data.nextAction.type]).toEqual([200, 'WAITING_FOR_REDIRECT']);
    const { data } = (await key.client.journey(json.data.journeyId)).json;
    expect([data.channel, data.productCode]).toEqual(['API_HOSTED', 'ONLINE_BUSINESS']);
    expect(data.loanAmount).toBe(500_000);
  });
});

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

describe('signatures and sessions', () => {
  it('are compared in constant time, and in no other way', () => {
    const read = (path: string) => readFileSync(projectPath(path), 'utf8');
    expect(read('src/platform/crypto/equal-bytes.ts')).toContain('timingSafeEqual(left, right)');
    for (const file of ['src/auth/request-signature.ts', 'src/journeys/journey.guard.ts']) {
      expect(read(file)).toContain('equalBytes(');
      expect(read(file)).not.toMatch(/(signature|session|Hash)\w* ===? (?!null|undefined|'')/i);
    }
  });
});
