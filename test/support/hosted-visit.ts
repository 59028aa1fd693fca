import type { Page } from 'playwright-core';

/** Presses the page's main button in any language, and waits for the next page. */
export async function pressMain(page: Page): Promise<void> {
  const button = page.locator('main .btn:not(.btn-2)').first();
  await Promise.all([page.waitForEvent('domcontentloaded'), button.click()]);
}
