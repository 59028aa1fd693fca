import { beforeAll, describe, expect, it } from 'vitest';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const DEMO = sandboxCredentials('demo');

let local: TestService;

beforeAll(async () => {
  local = await sharedService();
});

async function page(address: string): Promise<{ html: string; policy: string }> {
  const response = await fetch(`${address}/docs/try`);
  expect(response.status).toBe(200);
  return {
    html: await response.text(),
    policy: response.headers.get('content-security-policy') ?? '',
  };
}

describe('the page at /docs/try', () => {
  it('loads assets of this service alone, under a policy that allows no other', async () => {
    const { html, policy } = await page(local.baseUrl);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'; connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    // On a developer's machine the demonstration key is filled in.
    expect(html).toContain(DEMO.apiSecret);
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    const assets = [...html.matchAll(/<(?:link|script|img)[^>]*\s(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address,
    );
    expect(assets.length).toBeGreaterThan(4);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/[^/]/);
      const response = await fetch(local.baseUrl + asset);
      expect([asset, response.status]).toEqual([asset, 200]);
      await response.body?.cancel();
    }
  });

  it('lends its policy to no other page, and serves no file beside its own', async () => {
    const outside = await fetch(`${local.baseUrl}/docs/assets/..%2fpackage.json`);
    expect(outside.status).toBe(404);
    const response = await fetch(`${local.baseUrl}/returned`);
    expect(response.headers.get('content-security-policy')).not.toContain('script-src');
  });
});
