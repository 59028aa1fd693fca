import type { Page } from 'playwright-core';
import { codeFor, type HostedStart } from './hosted-client.js';
import type { TestService } from './service.js';

/** Presses the page's main button and waits for what comes, in whatever language. */
export async function pressMain(page: Page): Promise<void> {
  const button = page.locator('main .btn:not(.btn-2)').first();
  await Promise.all([page.waitForEvent('domcontentloaded'), button.click()]);
}

/** From the link to the journey's own screen, as an applicant does it. */
export async function signInWith(
  page: Page,
  service: TestService,
  start: HostedStart,
): Promise<void> {
  await page.goto(start.link);
  await pressMain(page);
  await page.locator('#code').fill(await codeFor(service, start.mobile));
  await pressMain(page);
}
