import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { launchBrowser, openVisit, type Visit, type VisitOptions } from './browser-visit.ts';

export { DESKTOP, PHONE, type Visit, type VisitOptions } from './browser-visit.ts';
export {
  axeCheck,
  drawn,
  focusedName,
  type PageWeight,
  pageWeight,
  pressTabTo,
  sidewaysOverflow,
  weighedPages,
  zoomText,
} from './browser-checks.ts';

/** A browser and a service on two shared cores take their time. */
const BROWSER_TEST_MS = 180_000;

/**
 * A real browser for a spec file: called once at its top, answers what opens a fresh visit to a
 * service. The browser is started before the file's tests and closed after them; visits end with
 * their test.
 */
export function browserTests(): (baseUrl: string, options?: VisitOptions) => Promise<Visit> {
  vi.setConfig({ testTimeout: BROWSER_TEST_MS, hookTimeout: BROWSER_TEST_MS });
  let browser: Browser;
  let visits: Visit[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  }, BROWSER_TEST_MS);
  afterEach(async () => {
    const open = visits;
    visits = [];
    await Promise.all(open.map((visit) => visit.close()));
  });
  afterAll(() => browser.close());
  return async (baseUrl, options) => {
    const visit = await openVisit(browser, baseUrl, options);
    visits.push(visit);
    return visit;
  };
}
