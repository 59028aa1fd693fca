// Isolated: applies other configurations.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { projectPath, sha256 } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { HostedClient, startHosted } from '../../support/hosted-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const PICTURE = readFileSync(projectPath('config/demonstration-partner.png'));
const SAFE = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

let service: OwnService;
let folder: string;

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'rinpath-logos-'));
  const small = new PNG({ width: 32, height: 64 });
  PNG.bitblt(PNG.sync.read(PICTURE), small, 0, 0, 32, 64);
  for (const [name, content] of Object.entries({
    'logo.png': PICTURE,
    'small.png': PNG.sync.write(small),
    'wrong.png': DRAWING,
    'large.png': Buffer.concat([PICTURE, Buffer.alloc(65_536)]),
  }))
    writeFileSync(join(folder, name), content);
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Applies the shipped configuration with these logos of its first lender and its first partner. */
async function apply(lender?: string, partner?: string): Promise<void> {
  const file = join(folder, 'configuration.yaml');
  const { lenders, partners, ...rest } = parse(shippedConfiguration()) as {
    lenders: object[];
    partners: object[];
  };
  const [first, ...others] = lenders;
  // A partner's own logo is beside the shipped file.
  const plain = partners.map((one) => ({ ...one, logo: undefined }));
  const changed = {
    ...rest,
    lenders: [{ ...first, logo: lender }, ...others],
    partners: [{ ...plain[0], logo: partner }, ...plain.slice(1)],
  };
  writeFileSync(file, stringify(changed, { aliasDuplicateObjects: false }));
  await service.get(ConfigurationApplier).apply(file, SANDBOX_DEPLOYMENT);
  // The catalogue is cached for a second.
  await service.travel(1_001);
}

async function fetched(path: string): Promise<Response> {
  const answer = await fetch(service.baseUrl + path);
  await answer.arrayBuffer();
  return answer;
}

it('a lender’s logo is in place of its mark on its card, from this host, and the browser keeps it', async () => {
  const LOGO = /<img class="mark" src="([^"]+)" alt="" width="40" height="40">/g;
  const logosOnOffers = async () => {
    const { client } = await StepJourney.at('OFFERS_RECEIVED', service);
    const { text } = await client.open('/hosted');
    return [...text.replaceAll('&#x3D;', '=').matchAll(LOGO)].map(([, address]) => address);
  };
  expect(await logosOnOffers()).toEqual([]);
  await apply('logo.png');
  for (const wrong of ['wrong.png', 'large.png'])
    await expect(apply(wrong)).rejects.toThrow(/lenders\[0\]\.logo/);
  const [address, ...others] = await logosOnOffers();
  expect(others).toEqual([]);
  const answer = await fetch(service.baseUrl + address);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(address).toBe(`/assets/lender/navdhara?v=${sha256(bytes)}`);
  expect(PNG.sync.read(bytes).data.equals(PNG.sync.read(PICTURE).data)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject(SAFE);
  const earlier = await fetched(`/assets/lender/navdhara?v=${'0'.repeat(64)}`);
  expect([earlier.status, earlier.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=60',
  ]);
  await apply();
  expect(await logosOnOffers()).toEqual([]);
  for (const code of ['navdhara', 'NAVDHARA', '..%2f..%2fetc%2fpasswd'])
    expect((await fetched(`/assets/lender/${code}`)).status).toBe(404);
});

it('a partner’s logo is beside its name, under the hash of its bytes, which change with the picture', async () => {
  const addressOnEntry = async () => {
    const { link } = await startHosted(service);
    const { text } = await new HostedClient(service.baseUrl).get(link);
    expect(text).toContain('<span>with Demonstration Partner</span>');
    return /<img class="partner-logo" src="([^"]+)" alt=""/.exec(text)?.[1];
  };
  await apply(undefined, 'logo.png');
  const address = (await addressOnEntry())!;
  const answer = await fetch(service.baseUrl + address);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(address).toBe(`/partner-logos/${sha256(bytes)}`);
  expect(PNG.sync.read(bytes).data.equals(PNG.sync.read(PICTURE).data)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject(SAFE);
  await expect(apply(undefined, 'wrong.png')).rejects.toThrow(/partners\[0\]\.logo/);
  expect(await addressOnEntry()).toBe(address);
  await apply(undefined, 'small.png');
  expect(await addressOnEntry()).not.toBe(address);
  for (const version of [sha256(bytes), 'nothing', '..%2f..%2fetc%2fpasswd'])
    expect((await fetched(`/partner-logos/${version}`)).status).toBe(404);
  await apply();
  expect(await addressOnEntry()).toBeUndefined();
});
