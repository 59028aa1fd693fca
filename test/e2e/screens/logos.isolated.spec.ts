// Isolated: applies other configurations.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { projectPath, sha256 } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { HostedClient, startHosted } from '../../support/hosted-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

describe('what the file says of a lender', () => {
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
});

describe('a partner’s logo', () => {
  const PICTURE = drawn(readFileSync(projectPath('config/demonstration-partner.png')));

  /** A picture as the service draws it. */
  function drawn(bytes: Buffer, width?: number): Buffer {
    const picture = PNG.sync.read(bytes);
    const size = { width: width ?? picture.width, height: picture.height };
    const other = new PNG(size);
    PNG.bitblt(picture, other, 0, 0, size.width, size.height);
    return PNG.sync.write(other, { deflateLevel: 9 });
  }

  let service: OwnService;
  let folder: string;

  beforeAll(async () => {
    service = await startService();
    folder = mkdtempSync(join(tmpdir(), 'rinpath-logos-'));
  });

  afterEach(() => apply({}));

  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  /** Applies the shipped configuration with other fields of its first partner. */
  async function apply(fields: object): Promise<void> {
    const file = join(folder, 'configuration.yaml');
    const { partners, ...rest } = parse(shippedConfiguration()) as { partners: object[] };
    const [demo, ...others] = partners;
    const changed = { ...rest, partners: [{ ...demo, ...fields }, ...others] };
    writeFileSync(file, stringify(changed, { aliasDuplicateObjects: false }));
    await service.get(ConfigurationApplier).apply(file, SANDBOX_DEPLOYMENT);
  }

  async function entryPage(): Promise<string> {
    const { link } = await startHosted(service);
    const { text } = await new HostedClient(service.baseUrl).get(link);
    expect(text).toContain('<span>with Demonstration Partner</span>');
    return text;
  }

  const addressIn = (html: string) =>
    /<img class="partner-logo" src="([^"]+)" alt=""/.exec(html)?.[1];

  it('stands beside the name, and comes from this host under the hash of its bytes, kept for good', async () => {
    const page = await entryPage();
    expect(addressIn(page)).toBe(`/partner-logos/${sha256(PICTURE)}`);
    expect(page).toContain('width="64" height="64"');
    const answer = await fetch(service.baseUrl + addressIn(page)!);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PICTURE);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('changes its address with the picture, and the earlier one is gone', async () => {
    const other = drawn(PICTURE, 32);
    writeFileSync(join(folder, 'other.png'), other);
    await apply({ logo: 'other.png' });
    expect(addressIn(await entryPage())).toBe(`/partner-logos/${sha256(other)}`);
    const earlier = await fetch(`${service.baseUrl}/partner-logos/${sha256(PICTURE)}`);
    expect(earlier.status).toBe(404);
  });

  it('is left out where the configuration gives none: the name stands alone', async () => {
    await apply({ logo: undefined });
    expect(addressIn(await entryPage())).toBeUndefined();
  });

  it.each([
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'],
    ['a page', '<script>alert(1)</script>'],
  ])(
    'is refused as %s with the place of the mistake, and the one in force stays',
    async (_, content) => {
      writeFileSync(join(folder, 'wrong.png'), content);
      await expect(apply({ logo: 'wrong.png' })).rejects.toThrow(/partners\[0\]\.logo/);
      expect(addressIn(await entryPage())).toBe(`/partner-logos/${sha256(PICTURE)}`);
    },
  );

  it.each(['0'.repeat(64), 'nothing', '..%2f..%2fetc%2fpasswd'])('404: %s', async (version) => {
    const answer = await fetch(`${service.baseUrl}/partner-logos/${version}`);
    expect(answer.status).toBe(404);
    await answer.body?.cancel();
  });
});
