import { type HostedClient, type HostedPage, plain } from '../../support/hosted-client.js';

const MOST_PAGES = 400;
const ID = /\b[a-z]{3}_[0-9a-f]{32}\b/g;

/** The pages and forms of the workbench, found by following every link from its front page. */
export interface Crawled {
  /** By address, including the query. */
  readonly pages: ReadonlyMap<string, HostedPage>;
  /** The targets of the forms that post. */
  readonly actions: ReadonlySet<string>;
}

/** @throws Error if there are more pages than a test can open */
export async function crawl(browser: HostedClient): Promise<Crawled> {
  const pages = new Map<string, HostedPage>();
  const actions = new Set<string>();
  const ahead = new Set(['/workbench']);
  for (const path of ahead) {
    if (ahead.size > MOST_PAGES) throw new Error(`over ${MOST_PAGES} pages, ${path} among them`);
    const page = await browser.get(path);
    pages.set(path, page);
    for (const href of hrefsIn(page)) ahead.add(href);
    for (const [, action] of page.text.matchAll(/<form method="post" action="([^"]+)"/g)) {
      actions.add(plain(action));
    }
  }
  return { pages, actions };
}

function hrefsIn({ text, location }: HostedPage): string[] {
  const all = [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => plain(href));
  return [location, ...all]
    .map((href) => href.split('#')[0])
    .filter((href) => /^\/workbench(?![\w-])/.test(href));
}

/** The service's ids on the pages. */
export function idsIn({ pages }: Crawled): string[] {
  return [...new Set([...pages.values()].flatMap(({ text }) => text.match(ID) ?? []))];
}
