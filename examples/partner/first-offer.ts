import type { Browser, Page } from './browser.ts';
import { readForms } from './html-forms.ts';

/** The page of an instant loan's payment: where the offers are only compared yet, the first one is chosen. */
export async function chooseFirstOffer(browser: Browser, page: Page): Promise<Page> {
  const { pathname } = page.url;
  const leadsToPayment = readForms(page.html).some(({ action }) => action === pathname);
  return leadsToPayment ? page : browser.submit(page, `${pathname}/choice`);
}

/** Whether the page of an instant loan has offers by now: one to choose, or the chosen one to pay for. */
export function hasOffers({ url, html }: Page): boolean {
  const { pathname } = url;
  return readForms(html).some(({ action }) => [pathname, `${pathname}/choice`].includes(action));
}
