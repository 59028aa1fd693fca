// Isolated: applies other configurations.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { loanRequest, shortLoanRequest } from '../../support/loan-requests.js';
import type { Journey } from '../../support/partner-client.js';
import { partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';

interface File {
  version: number;
  settings: Record<string, unknown>;
  products: { code: string; enabled?: boolean }[];
  partners: { id: string; keys: Record<string, unknown>[] }[];
}

const folder = mkdtempSync(join(tmpdir(), 'rinpath-in-force-'));
const path = join(folder, 'sandbox.yaml');
const file = parse(shippedConfiguration()) as File;
const [key] = file.partners.find(({ id }) => id === 'demo')!.keys;

let service: OwnService;

beforeAll(async () => {
  file.settings.pollIntervalSeconds = 9;
  Object.assign(key, { defaultChannel: 'API_HOSTED', defaultProduct: 'ONLINE_BUSINESS' });
  writeFileSync(path, stringify(file));
  service = await startService({ configFile: path });
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Puts the file into force as it is now, as a later version. */
async function apply(): Promise<void> {
  file.version += 1;
  writeFileSync(path, stringify(file));
  const applier = service.get<ConfigurationApplier>(ConfigurationApplier);
  expect(await applier.apply(path, SANDBOX_DEPLOYMENT)).toMatchObject({ outcome: 'APPLIED' });
  // What is kept in memory is checked against the revision once a second.
  await service.travel(1_001);
}

/** The journey that variant B starts, when it names neither channel nor product. */
async function started(): Promise<Journey> {
  const client = partnerClient(service, { key: key.name as string });
  const { status, json } = await client.initiate(shortLoanRequest());
  expect([status, json.error]).toEqual([200, undefined]);
  const { journeyId, journeySession } = json.data;
  return (await client.journey(journeyId, journeySession)).json.data;
}

describe('what the file says', () => {
  it('is what a partner meets: the channel and the product of variant B, how often to read', async () => {
    expect(await started()).toMatchObject({
      channel: 'API_HOSTED',
      productCode: 'ONLINE_BUSINESS',
      loanAmount: 500_000,
      pollIntervalSeconds: 9,
    });
  });

  it('is how much gold one application may have', async () => {
    const grams = async (given: string) => {
      const client = partnerClient(service, { key: key.name as string });
      const body = loanRequest({ productCode: 'ONLINE_GOLD' });
      const goldLoanDetails = { jewellaryList: ['necklace'], grams: given };
      const { status, json } = await client.initiate({ ...body, goldLoanDetails });
      return [status, json.details?.[0]?.field];
    };
    expect(await grams('1000')).toEqual([200, undefined]);
    file.settings.goldOrnamentGrams = 600;
    await apply();
    expect(await grams('600')).toEqual([200, undefined]);
    expect(await grams('600.5')).toEqual([400, 'goldLoanDetails.grams']);
    delete file.settings.goldOrnamentGrams;
    await apply();
    expect(await grams('1000.5')).toEqual([400, 'goldLoanDetails.grams']);
  });

  it('is which products there are: one that is switched off is listed no more, without a restart', async () => {
    const codes = async () => {
      const { json } = await partnerClient(service).get<{ products: { code: string }[] }>(
        '/products',
      );
      return json.data.products.map(({ code }) => code);
    };
    const business = file.products.find(({ code }) => code === 'ONLINE_BUSINESS')!;
    expect(await codes()).toContain('ONLINE_BUSINESS');
    business.enabled = false;
    await apply();
    expect(await codes()).not.toContain('ONLINE_BUSINESS');
    delete business.enabled;
    await apply();
  });

  it('counts from when a changed file is applied, and its defaults where it says nothing', async () => {
    file.settings.pollIntervalSeconds = 13;
    Object.assign(key, { defaultChannel: 'API_HEADLESS', defaultProduct: 'ONLINE_SHORT_TERM' });
    await apply();
    expect(await started()).toMatchObject({
      channel: 'API_HEADLESS',
      productCode: 'ONLINE_SHORT_TERM',
      pollIntervalSeconds: 13,
    });
    key.defaultChannel = 'API_HOSTED';
    await apply();
    expect(await started()).toMatchObject({ channel: 'API_HOSTED' });
    delete file.settings.pollIntervalSeconds;
    delete key.defaultChannel;
    delete key.defaultProduct;
    await apply();
    expect(await started()).toMatchObject({
      channel: 'API_HEADLESS',
      productCode: 'ONLINE_PERSONAL',
      pollIntervalSeconds: 2,
    });
  });
});
