import type { BrowserContext, Page } from 'playwright-core';
import { drawn } from './browser-checks.ts';

const WINDOW = { width: 390, height: 844 } as const;

export interface PageSize {
  readonly words: number;
  readonly screens: number;
  readonly buttons: number;
  readonly isButtonSeen: boolean;
  readonly lastButtonAt: number;
}

/** The page of a visit in which others are measured: a new one costs more than an address that is opened in it. */
const measuringPages = new WeakMap<BrowserContext, Page>();

/** Opens an address with the cookies of a visit, in a page beside the visit's own, and measures it there. */
export async function sizeOf(
  context: BrowserContext,
  url: string,
  language: 'en' | 'hi',
): Promise<PageSize> {
  const known = measuringPages.get(context);
  const page = known && !known.isClosed() ? known : await context.newPage();
  measuringPages.set(context, page);
  // A header would not do: Chromium sends the visit's own language.
  await context.addCookies([{ name: 'lang', value: language, url }]);
  await page.goto(url);
  await context.clearCookies({ name: 'lang' });
  const size = await sizeOfShown(page);
  // A page that is waited on loads itself again.
  await page.goto('about:blank');
  return size;
}

/** Measures the page that is open. */
export async function sizeOfShown(page: Page): Promise<PageSize> {
  await page.setViewportSize(WINDOW);
  await drawn(page);
  return page.evaluate<PageSize>(`(() => {
    // A sandbox whose time was moved says so on every page.
    document.querySelector('.sandbox-time')?.remove();
    const high = innerHeight;
    const shown = (css) => [...document.querySelectorAll(css)].filter((one) => one.getClientRects().length > 0);
    const main = shown('main .btn:not(.btn-2)');
    const buttons = main.length > 0 ? main : shown('main .btn');
    const isSeen = (button) => {
      const { top, bottom, left, width } = button.getBoundingClientRect();
      if (top < 0 || bottom > high) return false;
      return button.contains(document.elementFromPoint(left + width / 2, bottom - 4));
    };
    return {
      words: (document.body.innerText.match(/\\S+/g) ?? []).length,
      screens: document.documentElement.scrollHeight / high,
      buttons: buttons.length,
      isButtonSeen: buttons.length > 0 && isSeen(buttons[0]),
      lastButtonAt: Math.max(0, ...buttons.map((one) => one.getBoundingClientRect().bottom + scrollY)) / high,
    };
  })()`);
}
