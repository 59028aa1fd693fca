import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const MAX_TABS = 80;

/**
 * Puts axe-core into a page without running it, which is cheap enough for every page that the window
 * comes to; to send it at each check costs three times as much.
 */
const AXE = `globalThis.loadAxe = () => {${readFileSync(AXE_FILE, 'utf8')}}`;
const withAxe = new WeakSet<Page>();

/** A page's script learns of dark colours with the next frame, and colours may move to their new values. */
const SETTLED = `
  await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations()) {
    if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
  }`;

type Rules = { type: 'tag' | 'rule'; values: readonly string[] };

const ALL_RULES: Rules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const COLOUR_RULES: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** @throws Error naming every break of a WCAG 2.2 AA rule that axe-core finds on the page */
export async function axeCheck(page: Page): Promise<void> {
  await withWholePage(page, () => axeRules(page, ALL_RULES));
}

/**
 * Light with every rule, then dark with those that depend on colours.
 * @throws Error naming every break
 */
export async function axeInBothLights(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await withWholePage(page, async () => {
    await axeRules(page, ALL_RULES);
    await page.emulateMedia({ colorScheme: 'dark' });
    await axeRules(page, COLOUR_RULES);
  });
}

/** @throws Error naming every break of a rule whose result depends on the colours alone */
export async function axeColourCheck(page: Page): Promise<void> {
  await withWholePage(page, () => axeRules(page, COLOUR_RULES));
}

/**
 * The whole page in the window while it is checked: axe counts a target under a sticky bar as too small, though it
 * scrolls free.
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
  // By axe-core itself: its adapter for Playwright takes the whole report out of the page.
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
  // Not preloaded: style sheets and media, which no rule of these reads.
  const options = { runOnly: rules, resultTypes: ['violations'], preload: false };
  return page.evaluate<Result[]>(`(async () => {
    ${SETTLED}
    if (!('axe' in window)) loadAxe();
    return (await axe.run(document, ${JSON.stringify(options)})).violations;
  })()`);
}

/** Waits until the page has its style, its pictures and its fonts: it looks otherwise before. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate('document.fonts.ready.then(() => true)');
}

/** Loads a page with an empty cache, and weighs in bytes what comes. */
export async function pageWeight(
  page: Page,
  path: string,
): Promise<{ total: number; withoutFonts: number }> {
  const session = await page.context().newCDPSession(page);
  const types = new Map<string, string>();
  const asked = new Set<string>();
  const weight = { total: 0, withoutFonts: 0 };
  session.on('Network.requestWillBeSent', ({ requestId }) => asked.add(requestId));
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    // On a busy machine the first visit's fonts are still on their way.
    if (!asked.has(requestId)) return;
    weight.total += encodedDataLength;
    if (types.get(requestId) !== 'Font') weight.withoutFonts += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(path, { waitUntil: 'networkidle' });
  await session.detach();
  return weight;
}

/**
 * The bytes that the browser loads for each page, its heaviest load, with a cache that is empty at first. A waiting
 * page asks for itself again: that is not part of a load.
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

/** How many pixels the page can be scrolled sideways: 0 on a page that fits. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  await drawn(page);
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Text at a multiple of its size, as with a browser's text zoom. */
export async function zoomText(page: Page, times: number): Promise<void> {
  await drawn(page);
  await page.evaluate(`{
    const root = document.documentElement;
    root.style.fontSize = Number.parseFloat(getComputedStyle(root).fontSize) * ${times} + 'px';
  }`);
}

/** The text by which a person knows what has the focus. */
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
 * Presses Tab until what is named has the focus, as a user without a mouse does.
 * @throws Error when it is never reached, or the focus on it cannot be seen
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
