// Isolated: applies other configurations.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { projectPath, sha256 } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { type OwnService, startService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const PICTURE = readFileSync(projectPath('config/demonstration-partner.png'));
const LOGO = /<img class="mark" src="([^"]+)" alt="" width="40" height="40">/g;

let service: OwnService;
let folder: string;

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'rinpath-lender-logos-'));
  writeFileSync(join(folder, 'logo.png'), PICTURE);
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Applies the shipped configuration with other fields of its first lender. */
async function apply(fields: object): Promise<void> {
  const file = join(folder, 'configuration.yaml');
  const { lenders, partners, ...rest } = parse(shippedConfiguration()) as {
    lenders: { code: string }[];
    partners: object[];
  };
  const [first, ...others] = lenders;
  // A partner's own logo is beside the shipped file.
  const withoutLogos = partners.map((partner) => ({ ...partner, logo: undefined }));
  const changed = {
    ...rest,
    partners: withoutLogos,
    lenders: [{ ...first, ...fields }, ...others],
  };
  writeFileSync(file, stringify(changed, { aliasDuplicateObjects: false }));
  await service.get(ConfigurationApplier).apply(file, SANDBOX_DEPLOYMENT);
  // The catalogue in memory is a second behind.
  await service.travel(1_001);
}

/** The logos on the page of a journey's offers. */
async function logosOnOffers(): Promise<string[]> {
  const { client } = await StepJourney.at('OFFERS_RECEIVED', service);
  const { text } = await client.open('/hosted');
  return [...text.replaceAll('&#x3D;', '=').matchAll(LOGO)].map(([, address]) => address);
}

describe('a lender’s logo', () => {
  it('is in place of its mark on its card, from this host, and the browser keeps it', async () => {
    expect(await logosOnOffers()).toEqual([]);
    await apply({ logo: 'logo.png' });
    const [address, ...others] = await logosOnOffers();
    expect(others).toEqual([]);
    const answer = await fetch(service.baseUrl + address);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(address).toBe(`/assets/lender/navdhara?v=${sha256(bytes)}`);
    const { data } = PNG.sync.read(bytes);
    expect(data.equals(PNG.sync.read(PICTURE).data)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  it('is the current one, for a minute, where another version is asked for', async () => {
    const answer = await fetch(`${service.baseUrl}/assets/lender/navdhara?v=${'0'.repeat(64)}`);
    await answer.body?.cancel();
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=60',
    ]);
  });

  it.each([
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'],
    ['more than 64 KB', Buffer.concat([PICTURE, Buffer.alloc(65_536)])],
  ])('is refused as %s, and the one in force stays', async (_, content) => {
    writeFileSync(join(folder, 'wrong.png'), content);
    await expect(apply({ logo: 'wrong.png' })).rejects.toThrow(/lenders\[0\]\.logo/);
    expect(await logosOnOffers()).toHaveLength(1);
  });

  it('gives way to the mark when the configuration has none any more', async () => {
    await apply({});
    expect(await logosOnOffers()).toEqual([]);
    const answer = await fetch(`${service.baseUrl}/assets/lender/navdhara`);
    await answer.body?.cancel();
    expect(answer.status).toBe(404);
  });

  it.each(['nobody', 'NAVDHARA', '..%2f..%2fetc%2fpasswd'])('404: %s', async (code) => {
    const answer = await fetch(`${service.baseUrl}/assets/lender/${code}`);
    expect(answer.status).toBe(404);
    await answer.body?.cancel();
  });
});

describe('a charge for an unpaid instalment that a lender states', () => {
  it('is on its card in short, and its own text where it states none', async () => {
    const ask = service.get(SandboxLender).ask.bind(service.get(SandboxLender));
    const late = { name: 'Late payment', description: '₹613 for each late instalment' };
    const spy = vi.spyOn(service.get(SandboxLender), 'ask');
    const cardOf = async (charge: object): Promise<string> => {
      spy.mockImplementation(async (question) => {
        const reply = await ask(question);
        if (reply.status !== 'ANSWERED' || reply.answer.kind !== 'OFFERED') return reply;
        const offers = reply.answer.offers.map((offer) => ({
          ...offer,
          contingentCharges: [{ ...late, ...charge }],
        }));
        return { ...reply, answer: { kind: 'OFFERED', offers } };
      });
      const { client } = await StepJourney.at('OFFERS_RECEIVED', service);
      return (await client.open('/hosted')).text;
    };
    const ifUnpaid = { flat: 613_00, gstPercent: 18, every: 'TIME', cause: 'LATE' };
    const short = await cardOf({ ifUnpaid });
    expect(short).toContain('₹613 + GST');
    expect(short).not.toContain(late.description);
    expect(await cardOf({})).toContain(late.description);
    spy.mockRestore();
  });
});
