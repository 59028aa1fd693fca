// Isolated: applies other configurations.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { projectPath, sha256 } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { HostedClient, startHosted } from '../../support/hosted-client.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { type OwnService, startService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const PICTURE = readFileSync(projectPath('config/demonstration-partner.png'));
const folder = scratchFolder('rinpath-logos-');

let service: OwnService;

beforeAll(async () => {
  service = await startService();
  const small = new PNG({ width: 32, height: 64 });
  PNG.bitblt(PNG.sync.read(PICTURE), small, 0, 0, 32, 64);
  for (const [name, content] of Object.entries({
    'logo.png': PICTURE,
    'small.png': PNG.sync.write(small),
    'wrong.png': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    'large.png': Buffer.concat([PICTURE, Buffer.alloc(65_536)]),
  }))
    writeFileSync(join(folder, name), content);
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

type Owner = 'lenders' | 'partners';

/** Applies the shipped configuration with only one logo, of the first lender or partner. */
async function apply(of: Owner, logo?: string): Promise<void> {
  const file = join(folder, 'configuration.yaml');
  const changed = parse(shippedConfiguration()) as Record<Owner, object[]>;
  // A partner's own logo is beside the shipped file.
  changed.partners = changed.partners.map((one) => ({ ...one, logo: undefined }));
  Object.assign(changed[of][0], { logo });
  writeFileSync(file, stringify(changed, { aliasDuplicateObjects: false }));
  await service.get(ConfigurationApplier).apply(file, SANDBOX_DEPLOYMENT);
  // The catalogue is cached for a second.
  await service.travel(1_001);
}

async function fetched(path: string) {
  const answer = await fetch(service.baseUrl + path);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: Object.fromEntries(answer.headers), bytes };
}

/** The addresses of the logos on a page. */
async function addressesOn(page: Promise<{ text: string }>, pattern: RegExp): Promise<string[]> {
  const text = (await page).text.replaceAll('&#x3D;', '=');
  return [...text.matchAll(pattern)].map(([, address]) => address);
}

/** Expects the configured logo with headers that forbid scripts; returns its hash. */
async function expectPicture(address: string): Promise<string> {
  const { headers, bytes } = await fetched(address);
  expect(PNG.sync.read(bytes).data.equals(PNG.sync.read(PICTURE).data)).toBe(true);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  return sha256(bytes);
}

async function expectNone(...paths: string[]): Promise<void> {
  for (const path of paths) expect((await fetched(path)).status).toBe(404);
}

it('a lender’s logo is in place of its mark on its card, from this host, and the browser keeps it', async () => {
  const onOffers = async () => {
    const { client } = await StepJourney.at('OFFERS_RECEIVED', service);
    const mark = /<img class="mark" src="([^"]+)" alt="" width="40" height="40">/g;
    return addressesOn(client.open('/hosted'), mark);
  };
  expect(await onOffers()).toEqual([]);
  await apply('lenders', 'logo.png');
  for (const wrong of ['wrong.png', 'large.png'])
    await expect(apply('lenders', wrong)).rejects.toThrow(/lenders\[0\]\.logo/);
  const [address, ...others] = await onOffers();
  expect(others).toEqual([]);
  expect(address).toBe(`/assets/lender/navdhara?v=${await expectPicture(address)}`);
  const earlier = await fetched(`/assets/lender/navdhara?v=${'0'.repeat(64)}`);
  expect([earlier.status, earlier.headers['cache-control']]).toEqual([200, 'public, max-age=60']);
  await apply('lenders');
  expect(await onOffers()).toEqual([]);
  await expectNone('/assets/lender/navdhara', '/assets/lender/..%2f..%2fetc%2fpasswd');
});

it('a partner’s logo is beside its name, under the hash of its bytes, which change with the picture', async () => {
  const onEntry = async () => {
    const { link } = await startHosted(service);
    const entry = new HostedClient(service.baseUrl).get(link);
    return addressesOn(entry, /<img class="partner-logo" src="([^"]+)" alt=""/g);
  };
  await apply('partners', 'logo.png');
  const [address] = await onEntry();
  expect(address).toBe(`/partner-logos/${await expectPicture(address)}`);
  await expect(apply('partners', 'wrong.png')).rejects.toThrow(/partners\[0\]\.logo/);
  expect(await onEntry()).toEqual([address]);
  await apply('partners', 'small.png');
  expect(await onEntry()).toEqual([expect.not.stringContaining(address)]);
  await expectNone(address, '/partner-logos/nothing', '/partner-logos/..%2f..%2fetc%2fpasswd');
  await apply('partners');
  expect(await onEntry()).toEqual([]);
});
