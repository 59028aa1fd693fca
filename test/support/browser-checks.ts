import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const MAX_TABS = 80;

/**
 * Adds axe-core to a page without running it, which is cheap enough for every page of the window. Sending it at each
 * check costs three times as much.
 */
const AXE = `globalThis.loadAxe = () => {${readFileSync(AXE_FILE, 'utf8')}}`;
const withAxe = new WeakSet<Page>();

type Rules = { type: 'tag' | 'rule'; values: readonly string[] };

const ALL_RULES: Rules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const COLOUR_RULES: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** @throws Error with every violation of a WCAG 2.2 AA rule that axe-core finds on the page */
export async function axeCheck(page: Page): Promise<void> {
  await withWholePage(page, () => axeRules(page, ALL_RULES));
}

/**
 * Checks every rule in the light scheme, then the colour rules in the dark one.
 * @throws Error with every violation
 */
export async function axeInBothLights(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await withWholePage(page, async () => {
    await axeRules(page, ALL_RULES);
    await page.emulateMedia({ colorScheme: 'dark' });
    await axeRules(page, COLOUR_RULES);
  });
}

/** @throws Error with every violation of a rule that depends on colours only */
export async function axeColourCheck(page: Page): Promise<void> {
  await withWholePage(page, () => axeRules(page, COLOUR_RULES));
}

/**
 * Makes the window as high as the page: axe counts a target under a sticky bar as too small, though scrolling uncovers
 * it.
 */
async function withWholePage(page: Page, check: () => Promise<void>): Promise<void> {
  await drawn(page);
  const size = page.viewportSize()!;
  let { height } = size;
  // A taller window may make the page taller.
  for (let sizes = 0; sizes < 2; sizes += 1) {
    const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
    if (whole <= height) break;
    height = whole;
    await page.setViewportSize({ ...size, height });
  }
  try {
    await check();
  } finally {
    if (height !== size.height) await page.setViewportSize(size);
  }
}

async function axeRules(page: Page, rules: Rules): Promise<void> {
  // Uses axe-core directly: its adapter for Playwright transfers the whole report.
  const violations = await axeFindings(page, rules);
  if (violations.length === 0) return;
  const found = violations.map(({ id, help, nodes }) => {
    const places = nodes.map((node) => `    ${node.html}\n      ${node.failureSummary ?? ''}`);
    return `  ${id}: ${help}\n${places.join('\n')}`;
  });
  throw new Error(`axe-core on ${page.url()}:\n${found.join('\n')}`);
}

async function axeFindings(page: Page, rules: Rules): Promise<Result[]> {
  if (!withAxe.has(page)) {
    withAxe.add(page);
    await page.addInitScript({ content: AXE });
    await page.evaluate(`${AXE}; 0`);
  }
  // Does not preload style sheets and media, which none of these rules reads.
  const options = { runOnly: rules, resultTypes: ['violations'], preload: false };
  return page.evaluate<Result[]>(`(async () => {
    if (!('axe' in window)) loadAxe();
    return (await axe.run(document, ${JSON.stringify(options)})).violations;
  })()`);
}

/** Waits until the page has its style, pictures and fonts. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate('document.fonts.ready.then(() => true)');
}

export interface PageWeight {
  readonly total: number;
  readonly fonts: number;
  readonly withoutFonts: number;
  readonly requests: number;
}

/** Loads a page, or reloads the current one, with an empty cache, and returns its bytes. */
export async function pageWeight(page: Page, path = page.url()): Promise<PageWeight> {
  const session = await page.context().newCDPSession(page);
  const types = new Map<string, string>();
  const bytes = { total: 0, fonts: 0, requests: 0 };
  const asked = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId }) => asked.add(requestId));
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    // On a busy machine the first visit's fonts are still loading.
    if (!asked.has(requestId)) return;
    bytes.total += encodedDataLength;
    bytes.requests += 1;
    if (types.get(requestId) === 'Font') bytes.fonts += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(path, { waitUntil: 'networkidle' });
  await session.detach();
  return { ...bytes, withoutFonts: bytes.total - bytes.fonts };
}

/**
 * The bytes of each page's heaviest load, with a cache that is empty at first. A waiting page's reloads are not part of
 * a load.
 */
export async function weighedPages(page: Page): Promise<ReadonlyMap<string, number>> {
  const session = await page.context().newCDPSession(page);
  const loads = new Map<string, { path: string; bytes: number }>();
  const heaviest = new Map<string, number>();
  let load = { path: '', bytes: 0 };
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    const { pathname } = new URL(request.url);
    if (type === 'Document') load = { path: pathname, bytes: 0 };
    if (type !== 'Fetch' || pathname !== load.path) loads.set(requestId, load);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const of = loads.get(requestId);
    if (of === undefined) return;
    of.bytes += encodedDataLength;
    heaviest.set(of.path, Math.max(heaviest.get(of.path) ?? 0, of.bytes));
  });
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  return heaviest;
}

/** By how many pixels the page scrolls sideways: 0 if it fits. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  await drawn(page);
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Enlarges the text, as a browser's text zoom does. */
export async function zoomText(page: Page, times: number): Promise<void> {
  await drawn(page);
  await page.evaluate(`{
    const root = document.documentElement;
    root.style.fontSize = Number.parseFloat(getComputedStyle(root).fontSize) * ${times} + 'px';
  }`);
}

/** The accessible name of the focused element. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return '';
    const text = element.labels?.[0]?.innerText ?? element.innerText ?? '';
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const parts = ids.map((id) => document.getElementById(id)?.innerText ?? '');
    return (element.getAttribute('aria-label') ?? (parts.join(' ') || text)).replaceAll(/\\s+/g, ' ').trim();
  })()`);
}

/**
 * Presses Tab until the named element has the focus, as a user without a mouse does.
 * @throws Error if it is never reached, or its focus is not visible
 */
export async function pressTabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let tab = 0; tab < MAX_TABS; tab += 1) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(page);
    if (focused === name) return showsFocus(page, name);
    passed.push(focused);
  }
  throw new Error(`Tab never reached "${name}" on ${page.url()}; it passed ${passed.join(' | ')}`);
}

async function showsFocus(page: Page, name: string): Promise<void> {
  // A card shows the focus of the button inside it.
  const isSeen = await page.evaluate<boolean>(`(() => {
    for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) return true;
    }
    return false;
  })()`);
  if (!isSeen) throw new Error(`the focus on "${name}" cannot be seen on ${page.url()}`);
}
