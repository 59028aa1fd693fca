import { readForms, readOnward } from './html-forms.ts';
import type { HtmlForm } from './html-forms.ts';

export interface Page {
  /** The address of the displayed page, or the unreachable address of a redirect. */
  url: URL;
  status: number;
  contentType: string;
  html: string;
  /** True when a redirect led to an unreachable site, such as a partner's own app. */
  left: boolean;
}

const MAX_REDIRECTS = 10;
const PAGE_TIMEOUT_MS = 10_000;

/** Acts as the applicant's browser: follows redirects across sites, keeps cookies, submits forms. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #language: 'en' | 'hi';
  readonly #servers: ReadonlyMap<string, string>;

  /**
   * @param language of `Accept-Language`
   * @param servers addresses of origins without a DNS name here
   */
  constructor(language: 'en' | 'hi' = 'en', servers: ReadonlyMap<string, string> = new Map()) {
    this.#language = language;
    this.#servers = servers;
  }

  open(url: string): Promise<Page> {
    return this.#load(new URL(url), { method: 'GET' });
  }

  /** Presses the button with this name and value, in its form. */
  press(page: Page, name: string, value: string): Promise<Page> {
    const form = readForms(page.html).find((candidate) =>
      candidate.buttons.some((button) => button.name === name && button.value === value),
    );
    if (!form) throw new Error(`The page ${page.url.pathname} has no button ${name}=${value}.`);
    return this.#send(page, form, { [name]: value });
  }

  /**
   * Presses the only button of the form with this action, or an action that begins with it.
   * @param entered filled in or ticked fields
   */
  submit(page: Page, action: string, entered: Record<string, string> = {}): Promise<Page> {
    const forms = readForms(page.html);
    const form =
      forms.find((candidate) => candidate.action === action) ??
      forms.find((candidate) => candidate.action.startsWith(action));
    if (!form) throw new Error(`The page ${page.url.pathname} has no form to ${action}.`);
    return this.#send(page, form, entered);
  }

  /** Fills in the first form of the page's main part, and submits it. */
  fill(page: Page, entered: Record<string, string> = {}): Promise<Page> {
    const [main = ''] = /<main\b[\s\S]*<\/main>/i.exec(page.html) ?? [];
    const [form] = readForms(main);
    if (!form) throw new Error(`The page ${page.url.pathname} has no form in its main part.`);
    return this.#send(page, form, entered);
  }

  #send(page: Page, form: HtmlForm, entered: Record<string, string>): Promise<Page> {
    const fields = new URLSearchParams({ ...form.hidden, ...entered });
    const target = new URL(form.action || page.url.href, page.url);
    if (form.method === 'GET') {
      target.search = fields.toString();
      return this.#load(target, { method: 'GET' });
    }
    // Browsers send Origin with a form post, and a server may require it against forgery.
    const site = target.origin === page.url.origin ? 'same-origin' : 'cross-site';
    const headers = { origin: page.url.origin, 'sec-fetch-site': site };
    return this.#load(target, { method: 'POST', body: fields, headers });
  }

  async #load(start: URL, request: RequestInit): Promise<Page> {
    let url = start;
    let init = request;
    let before: Response | undefined;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const response = await this.#fetchOrLeave(url, init, url.host !== start.host);
      if (!response) return { ...describe(url, before, ''), left: true };
      const html = await response.text();
      const isMoved = response.status >= 300 && response.status < 400;
      // For another site, a form's response is a page that redirects automatically.
      const location = isMoved ? response.headers.get('location') : readOnward(html);
      if (!location) return describe(url, response, html);
      const next = new URL(location, url);
      // Only 307 and 308 repeat the POST; after other redirects a browser uses GET.
      if (response.status !== 307 && response.status !== 308) init = { method: 'GET' };
      url = next;
      before = response;
    }
    throw new Error(`More than ${MAX_REDIRECTS} redirects from ${start.pathname}.`);
  }

  /** @returns null for an unreachable site */
  async #fetchOrLeave(
    url: URL,
    init: RequestInit,
    isElsewhere: boolean,
  ): Promise<Response | undefined> {
    try {
      return await this.#fetch(url, init);
    } catch (error) {
      if (!isElsewhere) throw error;
      return undefined;
    }
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('accept', 'text/html');
    headers.set('accept-language', this.#language);
    const jar = this.#cookies.get(url.hostname);
    if (jar?.size) headers.set('cookie', [...jar].map(([n, v]) => `${n}=${v}`).join('; '));
    const server = this.#servers.get(url.origin) ?? url.origin;
    const response = await fetch(`${server}${url.pathname}${url.search}`, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
    });
    this.#keepCookies(url.hostname, response.headers.getSetCookie());
    return response;
  }

  #keepCookies(host: string, lines: string[]): void {
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    for (const line of lines) {
      const [pair = ''] = line.split(';');
      const cut = pair.indexOf('=');
      const name = pair.slice(0, cut).trim();
      if (/;\s*max-age=(0|-\d+)\b/i.test(line)) jar.delete(name);
      else jar.set(name, pair.slice(cut + 1).trim());
    }
    this.#cookies.set(host, jar);
  }
}

function describe(url: URL, response: Response | undefined, html: string): Page {
  const contentType = response?.headers.get('content-type') ?? '';
  return { url, status: response?.status ?? 0, contentType, html, left: false };
}
