import { expect, it } from 'vitest';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { sharedService } from '../../support/shared-service.js';

// That it asks no other host: docs-page.browser.spec.ts.
it('the page at /docs/try has its own policy without anything unsafe, and the demonstration key on a developer’s machine', async () => {
  const { baseUrl } = await sharedService();
  const page = await fetch(`${baseUrl}/docs/try`);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'; connect-src 'self'");
  expect(policy).not.toContain('unsafe');
  const html = await page.text();
  expect(html).toContain(sandboxCredentials('demo').apiSecret);
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  const other = await fetch(`${baseUrl}/returned`);
  expect(other.headers.get('content-security-policy')).not.toContain('script-src');
  expect((await fetch(`${baseUrl}/docs/assets/..%2fpackage.json`)).status).toBe(404);
});
