import { setTimeout as sleep } from 'node:timers/promises';
import { Browser, type Page } from '../../examples/partner/browser.ts';
import { type Addresses, LENDER_PAGES } from './configuration.ts';
import { chooseFirstOffer, hasOffers } from '../../examples/partner/first-offer.ts';
import { plain } from '../support/hosted-browser.ts';

const BOUND_MS = 120_000;
const WAIT_MS = 1_000;
const ACCOUNT = {
  accHolderName: 'Asha Verma',
  acctype: 'SAVINGS',
  accNo: '50100123456789',
  accNoAgain: '50100123456789',
  ifscCode: 'HDFC0001234',
};

/** The applicant's phone: a browser without JavaScript, and the messages that arrived. */
export class Applicant {
  readonly mobile: string;
  readonly #browser: Browser;
  readonly #smsGateway: string;
  readonly #tell: (text: string) => void;

  constructor(
    mobile: string,
    { smsGateway, lender }: Pick<Addresses, 'smsGateway' | 'lender'>,
    tell: (text: string) => void,
  ) {
    this.#browser = new Browser('en', new Map([[`https://${LENDER_PAGES}`, lender]]));
    this.mobile = mobile;
    this.#smsGateway = smsGateway;
    this.#tell = tell;
  }

  /** @throws Error with the page on which the journey does not continue */
  async goThroughJourney(link: string): Promise<void> {
    await this.#browser.fill(await this.#browser.open(link));
    const home = new URL('/hosted', link).href;
    let shown = '';
    await within(
      async () => {
        const page = await this.#browser.open(home);
        if (page.url.pathname !== shown) this.#tell(`is at ${page.url.pathname}`);
        shown = page.url.pathname;
        if (page.status !== 200) throw new Error(`${shown} answers ${page.status}`);
        if (shown === '/hosted/done') return true;
        await this.#takeStep(page);
        return false;
      },
      () => `the applicant's journey ends at ${shown}`,
    );
  }

  async payFee(link: string): Promise<Page> {
    const texts = await this.#texts();
    if (!texts.some((text) => text.includes(link))) throw new Error('the text has no link');
    const offer = await chooseFirstOffer(this.#browser, await this.#offer(link));
    const gateway = await this.#browser.submit(offer, offer.url.pathname, { hasRead: '1' });
    this.#tell(`pays the fee at ${gateway.url.origin}`);
    return this.#browser.press(gateway, 'outcome', 'pay');
  }

  async #offer(link: string): Promise<Page> {
    let page = await this.#browser.open(link);
    await within(
      async () => {
        if (hasOffers(page)) return true;
        await sleep(WAIT_MS);
        page = await this.#browser.open(link);
        return false;
      },
      () => 'no lender makes an offer',
    );
    return page;
  }

  async #takeStep(page: Page): Promise<void> {
    const { pathname } = page.url;
    const browser = this.#browser;
    if (pathname === '/hosted/code') await browser.fill(page, { code: await this.#code() });
    else if (pathname === '/hosted/consent') await browser.fill(page, { agree: '1' });
    else if (pathname === '/hosted/check') await browser.fill(page);
    else if (pathname === '/hosted/offers') await this.#choose(page);
    else if (pathname === '/hosted/bank-account') await this.#giveAccount(page);
    else if (!(await this.#visitLender(page))) await sleep(WAIT_MS);
  }

  async #choose(page: Page): Promise<void> {
    const confirmation = await this.#follow(page, /href="(\/hosted\/offers\/[^"]+\/confirm[^"]+)"/);
    const statement = await this.#follow(
      confirmation,
      /href="(\/hosted\/[^"]+\/key-facts\/[^"]+)"/,
    );
    this.#tell(`reads the Key Facts Statement (${statement.status})`);
    await this.#browser.fill(confirmation, { hasRead: '1' });
  }

  async #giveAccount(page: Page): Promise<void> {
    const shown = await this.#browser.fill(page, ACCOUNT);
    if (!shown.html.includes('HDFC Bank')) throw new Error('the page does not show the bank');
    await this.#browser.fill(shown, ACCOUNT);
  }

  async #visitLender(page: Page): Promise<boolean> {
    const link = /class="btn" href="([^"]*\/r\/[^"]+)"/.exec(page.html)?.[1];
    if (!link) return false;
    const lender = await this.#browser.open(new URL(link, page.url).href);
    this.#tell(`approves at ${lender.url.origin}`);
    await this.#browser.press(lender, 'decision', 'approve');
    return true;
  }

  #follow(page: Page, pattern: RegExp): Promise<Page> {
    const path = pattern.exec(page.html)?.[1];
    if (!path) throw new Error(`${page.url.pathname} has no link ${pattern.source}`);
    return this.#browser.open(new URL(plain(path), page.url).href);
  }

  async #code(): Promise<string> {
    let code: string | undefined;
    await within(
      async () => {
        code = (await this.#texts()).map((text) => /^(\d{6}) /.exec(text)?.[1]).find(Boolean);
        if (!code) await sleep(WAIT_MS);
        return code !== undefined;
      },
      () => 'no code came',
    );
    return code ?? '';
  }

  async #texts(): Promise<string[]> {
    const response = await fetch(`${this.#smsGateway}/messages?to=91${this.mobile}`);
    const texts = (await response.json()) as { text: string }[];
    return texts.map(({ text }) => text);
  }
}

/** Retries until it succeeds. @throws Error with `problem` after two minutes */
export async function within(isDone: () => Promise<boolean>, problem: () => string): Promise<void> {
  const end = performance.now() + BOUND_MS;
  while (!(await isDone())) if (performance.now() > end) throw new Error(problem());
}
