import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const MAX_TABS = 80;

/** Defines axe-core in the page without running it. Sending it at each check would cost three times as much. */
const AXE = `globalThis.loadAxe = () => {${readFileSync(AXE_FILE, 'utf8')}}`;
const withAxe = new WeakSet<Page>();

/** Scripts learn of dark mode with the next frame; colour transitions must have ended. */
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

/** @throws Error naming every WCAG 2.2 AA violation that axe-core finds on the page */
export async function axeCheck(page: Page): Promise<void> {
  await withWholePage(page, () => axeRules(page, ALL_RULES));
}

/**
 * Checks every rule in light mode, then the colour rules in dark mode.
 * @throws Error naming every violation
 */
export async function axeInBothLights(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await withWholePage(page, async () => {
    await axeRules(page, ALL_RULES);
    await page.emulateMedia({ colorScheme: 'dark' });
    await axeRules(page, COLOUR_RULES);
  });
}

/** @throws Error naming every violation of a colour rule */
export async function axeColourCheck(page: Page): Promise<void> {
  await withWholePage(page, () => axeRules(page, COLOUR_RULES));
}

/**
 * Enlarges the window to the whole page during the check: axe reports targets under a sticky bar as too small,
 * although they scroll free.
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
  // Calls axe-core directly: its Playwright adapter transfers the whole report.
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
  // No rule needs preloaded style sheets or media.
  const options = { runOnly: rules, resultTypes: ['violations'], preload: false };
  return page.evaluate<Result[]>(`(async () => {
    ${SETTLED}
    if (!('axe' in window)) loadAxe();
    return (await axe.run(document, ${JSON.stringify(options)})).violations;
  })()`);
}

/** Waits until styles, pictures and fonts are loaded. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate('document.fonts.ready.then(() => true)');
}

/** Loads a page with an empty cache and returns the received bytes. */
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
    // Fonts of the first visit may still be arriving on a busy machine.
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

/** The bytes of each page's largest load; the cache is empty at first. Reloads of a waiting page do not count. */
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

/** How many pixels the page is too wide; 0 when it fits. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  await drawn(page);
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Enlarges the text by this factor, as a browser's text zoom does. */
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
 * Presses Tab until the element with this accessible name has the focus.
 * @throws Error when Tab never reaches it, or its focus is not visible
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
