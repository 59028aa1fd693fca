import type { Browser, Page } from './browser.ts';
import { readForms } from './html-forms.ts';

/** The payment page of an instant loan. If no offer is chosen yet, chooses the first. */
export async function chooseFirstOffer(browser: Browser, page: Page): Promise<Page> {
  const { pathname } = page.url;
  const leadsToPayment = readForms(page.html).some(({ action }) => action === pathname);
  return leadsToPayment ? page : browser.submit(page, `${pathname}/choice`);
}

/** Whether an instant loan's page has offers: to choose, or the chosen one to pay for. */
export function hasOffers({ url, html }: Page): boolean {
  const { pathname } = url;
  return readForms(html).some(({ action }) => [pathname, `${pathname}/choice`].includes(action));
}
