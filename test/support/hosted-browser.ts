const MAX_REDIRECTS = 10;

export interface HostedPage {
  readonly path: string;
  readonly status: number;
  /** The target of a redirect as a path, if it is one of the service; otherwise empty. */
  readonly location: string;
  readonly headers: Headers;
  readonly text: string;
  readonly heading: string;
}

export interface HostedClientOptions {
  language?: 'en' | 'hi';
  address?: string;
}

interface Submission {
  action?: string;
  fields?: Record<string, string>;
}

/**
 * An applicant's browser without JavaScript: it keeps cookies, submits hidden fields, and follows redirects only when
 * asked.
 */
export class HostedClient {
  readonly cookies = new Map<string, string>();
  page: HostedPage | undefined;

  private readonly baseUrl: string;
  private readonly options: HostedClientOptions;

  constructor(baseUrl: string, options: HostedClientOptions = {}) {
    this.baseUrl = baseUrl;
    this.options = options;
  }

  copy(baseUrl = this.baseUrl): HostedClient {
    return this.copyTo(new HostedClient(baseUrl, this.options));
  }

  /** A copy that prefers another language. */
  inLanguage(language: 'en' | 'hi'): HostedClient {
    return this.copyTo(new HostedClient(this.baseUrl, { ...this.options, language }));
  }

  private copyTo(copy: HostedClient): HostedClient {
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    copy.page = this.page;
    return copy;
  }

  get(path: string): Promise<HostedPage> {
    return this.send('GET', path);
  }

  async open(path: string): Promise<HostedPage> {
    return this.follow(await this.get(path));
  }

  async follow(page: HostedPage): Promise<HostedPage> {
    let at = page;
    for (let redirects = 0; at.location.startsWith('/'); redirects += 1) {
      if (redirects === MAX_REDIRECTS)
        throw new Error(`redirected for ever, now to ${at.location}`);
      at = await this.get(at.location);
    }
    return at;
  }

  post(path: string, fields: Record<string, string>): Promise<HostedPage> {
    return this.send('POST', path, fields);
  }

  submit(
    fields: Record<string, string> = {},
    { action, fields: more = {} }: Submission = {},
  ): Promise<HostedPage> {
    const form = formOf(this.page!, action);
    return this.post(form.action, { ...form.hidden, ...fields, ...more });
  }

  async send303(fields?: Record<string, string>, submission?: Submission): Promise<HostedPage> {
    return this.follow(await this.submit(fields, submission));
  }

  protected async send(
    method: string,
    path: string,
    fields?: Record<string, string>,
  ): Promise<HostedPage> {
    const { language = 'en', address } = this.options;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'accept-language': language,
        ...(cookie !== '' && { cookie }),
        ...(address !== undefined && { 'x-forwarded-for': address }),
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    this.takeCookies(response);
    const text = await response.text();
    const location = (response.headers.get('location') ?? '').replace(this.baseUrl, '');
    const heading = plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? '');
    const { status, headers } = response;
    const page = { path, status, location, headers, text, heading };
    if (location === '') this.page = page;
    return page;
  }

  private takeCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** A form of a page's main part: its target, and its hidden fields. */
export function formOf(
  page: HostedPage,
  action?: string,
): { action: string; hidden: Record<string, string> } {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(page.text)?.[1] ?? '';
  for (const [, head = '', body = ''] of main.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const goesTo = /action="([^"]*)"/.exec(head)?.[1] ?? page.path;
    if (action !== undefined && action !== goesTo) continue;
    const inputs = body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    const hidden = [...inputs].map(([, name = '', value = '']) => [name, plain(value)]);
    return { action: plain(goesTo), hidden: Object.fromEntries(hidden) as Record<string, string> };
  }
  throw new Error(`no form ${action ?? ''} on ${page.path}: ${page.status} ${page.heading}`);
}

/** The text without tags, with single spaces and decoded entities. */
export function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#x([0-9A-Fa-f]+);/g, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
