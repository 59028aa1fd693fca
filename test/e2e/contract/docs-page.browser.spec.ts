import { beforeAll, describe, expect, it } from 'vitest';
import { browserTests, DESKTOP } from '../../support/browser.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const visit = browserTests();
let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

async function openCall(name: string) {
  const open = await visit(service.baseUrl, { viewport: DESKTOP });
  await open.goto('/docs/try');
  const call = open.page.locator('.opblock', { hasText: name }).first();
  await call.locator('.opblock-summary-control').click();
  await call.getByRole('button', { name: 'Try it out' }).click();
  return { ...open, call };
}

const statusOf = '.live-responses-table .response .response-col_status';

describe('the page at /docs/try, in a browser', () => {
  it('calls the API with a signature that it makes itself, and asks no other host', async () => {
    const { call, foreignRequests } = await openCall('/api/v1/partner/products');
    await call.getByRole('button', { name: 'Execute' }).click();
    await call.locator(statusOf).waitFor();
    expect((await call.locator(statusOf).innerText()).trim()).toMatch(/^200/);
    expect(await call.locator('.live-responses-table').innerText()).toContain('ONLINE_PERSONAL');
    expect(foreignRequests).toEqual([]);
  });

  it('signs a body, too: a journey is started from its example', async () => {
    const { call } = await openCall('/api/v1/partner/journey/initiate');
    await call.getByRole('button', { name: 'Execute' }).click();
    await call.locator(statusOf).waitFor();
    expect((await call.locator(statusOf).innerText()).trim()).toMatch(/^200/);
    expect(await call.locator('.live-responses-table').innerText()).toContain('journeyId');
  });

  it('shows the refusal when the secret is another', async () => {
    const { page, call } = await openCall('/api/v1/partner/products');
    await page.getByLabel('API secret').fill('rinpath_secret_test_wrong');
    await call.getByRole('button', { name: 'Execute' }).click();
    await call.locator(statusOf).waitFor();
    expect((await call.locator(statusOf).innerText()).trim()).toMatch(/^401/);
  });
});
