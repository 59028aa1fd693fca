// Isolated: applies other configurations.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { projectPath, sha256 } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { HostedClient, startHosted } from '../../support/hosted-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';

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

describe('a partner’s logo', () => {
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
