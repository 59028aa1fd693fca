import { expect, it } from 'vitest';
import { axeColourCheck, browserTests, DESKTOP } from '../../support/browser.js';
import { serviceOfFile } from '../../support/shared-service.js';

const visit = browserTests();
const service = serviceOfFile();

it('the page at /docs/try signs the calls that it makes, with a body too, asks no other host, and has enough contrast', async () => {
  const { page, goto, foreignRequests } = await visit(service.baseUrl, { viewport: DESKTOP });
  await goto('/docs/try');
  const call = async (name: string) => {
    const block = page.locator('.opblock', { hasText: name }).first();
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    const execute = async () => {
      await block.getByRole('button', { name: 'Execute' }).click();
      await block.locator('.live-responses-table').waitFor();
      return block.locator('.live-responses-table');
    };
    return execute;
  };
  const products = await call('/api/v1/partner/products');
  const listed = await (await products()).innerText();
  expect(listed).toMatch(/^200/m);
  expect(listed).toContain('ONLINE_PERSONAL');
  const initiate = await call('/api/v1/partner/journey/initiate');
  // The page's example is sent unchanged.
  const started = await (await initiate()).innerText();
  expect(started).toMatch(/^200/m);
  expect(started).toContain('journeyId');
  await page.getByLabel('API secret').fill('rinpath_secret_test_wrong');
  const refused = await products();
  await expect.poll(() => refused.innerText()).toMatch(/^401/m);
  expect(foreignRequests).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await axeColourCheck(page);
  }
});
