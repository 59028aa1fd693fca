import type { Browser } from 'playwright-core';
import { afterAll, afterEach, vi } from 'vitest';
import { BrowserPool } from './browser-pool.ts';
import { launchBrowser, openVisit, type Visit, type VisitOptions } from './browser-visit.ts';
import { mayStay } from './left-behind.ts';

export { DESKTOP, PHONE, type Visit, type VisitOptions } from './browser-visit.ts';
export {
  axeCheck,
  axeColourCheck,
  axeInBothLights,
  drawn,
  focusedName,
  pageWeight,
  pressTabTo,
  sidewaysOverflow,
  weighedPages,
  zoomText,
} from './browser-checks.ts';

const BROWSER_TEST_MS = 180_000;

let launched: Promise<Browser> | undefined;

async function workersBrowser(): Promise<Browser> {
  launched ??= launchBrowser().then((browser) => {
    mayStay('ProcessWrap');
    return browser;
  });
  return launched;
}

interface SpecVisitOptions extends VisitOptions {
  /** For a test that changes what cannot be reset, such as the window's clock. */
  inWindowOfItsOwn?: boolean;
}

/** A real browser for a spec file; call it once at the top. Returns a function that opens a new visit to a service. */
export function browserTests(): (baseUrl: string, options?: SpecVisitOptions) => Promise<Visit> {
  vi.setConfig({ testTimeout: BROWSER_TEST_MS, hookTimeout: BROWSER_TEST_MS });
  let pool: BrowserPool | undefined;
  let visits: Visit[] = [];
  afterEach(async () => {
    const open = visits;
    visits = [];
    await Promise.all(open.map((visit) => visit.close()));
  });
  afterAll(() => pool?.close());
  return async (baseUrl, options = {}) => {
    const browser = await workersBrowser();
    pool ??= new BrowserPool(browser);
    const visit = options.inWindowOfItsOwn
      ? await openVisit(browser, baseUrl, options)
      : await pool.visit(baseUrl, options);
    visits.push(visit);
    return visit;
  };
}
