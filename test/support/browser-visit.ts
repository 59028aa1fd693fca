import {
  type Browser,
  type BrowserContext,
  chromium,
  type ConsoleMessage,
  type Page,
  type Request,
} from 'playwright-core';
import { browserFonts } from './browser-fonts.ts';
import { chromiumBinary } from './chromium-binary.ts';

/** CSS pixels of a cheap phone in portrait, and of a small laptop. */
export const PHONE = { width: 360, height: 740 } as const;
export const DESKTOP = { width: 1280, height: 800 } as const;

export interface VisitOptions {
  language?: 'en' | 'hi';
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active';
  javaScript?: boolean;
  viewport?: { width: number; height: number };
  alsoAllowed?: readonly string[];
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly foreignRequests: string[];
  readonly complaints: string[];
  readonly hasScript: boolean;
  goto(this: void, path: string): Promise<void>;
  close(): Promise<void>;
}

const ACTION_MS = 40_000;

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumBinary(),
    env: { ...process.env, ...browserFonts() },
    // Containers have a small /dev/shm and no graphics, and glyphs must look the same everywhere.
    args: [
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--font-render-hinting=none',
      // Tests reach no other machine. Playwright's routes could do this, too, but they turn the cache off.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      // Fewer processes to start.
      '--in-process-gpu',
      '--process-per-site',
    ],
  });
}

export async function openVisit(
  browser: Browser,
  baseUrl: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const page = await openWindow(browser, baseUrl, options);
  return { ...visitIn(page, baseUrl, options), close: () => page.context().close() };
}

/** A page in its own context. */
export async function openWindow(
  browser: Browser,
  baseUrl: string,
  options: VisitOptions,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: options.viewport ?? PHONE,
    locale: options.language === 'hi' ? 'hi-IN' : 'en-IN',
    timezoneId: 'Asia/Kolkata',
    colorScheme: options.colorScheme ?? 'light',
    forcedColors: options.forcedColors ?? 'none',
    reducedMotion: 'reduce',
    javaScriptEnabled: options.javaScript ?? true,
  });
  context.setDefaultTimeout(ACTION_MS);
  context.setDefaultNavigationTimeout(ACTION_MS);
  return context.newPage();
}

/** A visit in an idle page. */
export function visitIn(
  page: Page,
  baseUrl: string,
  { alsoAllowed = [], javaScript: hasScript = true }: VisitOptions,
): Omit<Visit, 'close'> & { stopNoting(): void } {
  const context = page.context();
  const foreignRequests: string[] = [];
  const complaints: string[] = [];
  const allowed = new Set([baseUrl, ...alsoAllowed]);
  const note = (request: Request) => {
    const url = new URL(request.url());
    // The page's own policy blocks it, so it is never requested.
    const isForbidden = request.failure()?.errorText === 'csp';
    if (!isForbidden && !allowed.has(url.origin)) foreignRequests.push(url.href);
  };
  const noteError = (error: Error) => complaints.push(error.message);
  const noteLine = (line: ConsoleMessage) => {
    if (line.type() === 'error') complaints.push(`${line.text()} ${line.location().url}`.trim());
  };
  // On the context, so that pages which this one opens count, too.
  context.on('requestfinished', note).on('requestfailed', note);
  page.on('pageerror', noteError).on('console', noteLine);
  return {
    page,
    context,
    foreignRequests,
    complaints,
    hasScript,
    goto: async (path) => {
      await page.goto(path);
    },
    stopNoting: () => {
      context.off('requestfinished', note).off('requestfailed', note);
      page.off('pageerror', noteError).off('console', noteLine);
    },
  };
}
