import type { Page } from 'playwright-core';
import { drawn } from './browser-checks.ts';

const WINDOW = { width: 390, height: 844 } as const;

export interface PageSize {
  readonly words: number;
  readonly screens: number;
  readonly buttons: number;
  readonly isButtonSeen: boolean;
  readonly lastButtonAt: number;
}

/** Measures the open page. */
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
