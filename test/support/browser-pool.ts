import type { Browser, Page } from 'playwright-core';
import { openWindow, PHONE, type Visit, visitIn, type VisitOptions } from './browser-visit.ts';

/** Visits to a service in reused windows: a new window costs four times as much as an emptied one. */
export class BrowserPool {
  private readonly free = new Map<string, Page[]>();

  constructor(private readonly browser: Browser) {}

  async visit(baseUrl: string, options: VisitOptions): Promise<Visit> {
    const { language = 'en', javaScript = true } = options;
    const kind = [baseUrl, language, javaScript].join(' ');
    const page = this.free.get(kind)?.pop() ?? (await openWindow(this.browser, baseUrl, options));
    const { colorScheme = 'light', forcedColors = 'none', viewport = PHONE } = options;
    await page.emulateMedia({ colorScheme, forcedColors, media: null });
    await page.setViewportSize(viewport);
    const visit = visitIn(page, baseUrl, options);
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      visit.stopNoting();
      await empty(page);
      this.free.set(kind, [...(this.free.get(kind) ?? []), page]);
    };
    return { ...visit, close };
  }

  async close(): Promise<void> {
    const pages = [...this.free.values()].flat();
    this.free.clear();
    await Promise.all(pages.map((page) => page.context().close()));
  }
}

async function empty(page: Page): Promise<void> {
  const context = page.context();
  const others = context.pages().filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
  await page.unrouteAll();
  await context.unrouteAll();
  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  await session.send('Page.resetNavigationHistory');
  await session.detach();
  await context.clearCookies();
  await context.clearPermissions();
}
