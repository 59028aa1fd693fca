import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { HEAD_START_MS } from '../../src/messaging/store/sms-messages.repository.js';
import { Database, DuePoller } from '../../src/platform/index.js';
import { eventually, eventuallyFound } from './eventually.js';
import { loanRequest, type LoanRequestOptions } from './loan-requests.js';
import { partnerClient } from './partner-client.js';
import type { TestService } from './service.js';

const SMS_MS = 20_000;
const MAX_REDIRECTS = 10;

/** A page as a browser without JavaScript gets it. */
export interface HostedPage {
  /** The path that was asked for. */
  readonly path: string;
  readonly status: number;
  /** Where a redirect leads, as a path of the service where it is one; else empty. */
  readonly location: string;
  readonly headers: Headers;
  readonly text: string;
  /** Bare text of the `<h1>`. */
  readonly heading: string;
}

export interface HostedClientOptions {
  language?: 'en' | 'hi';
  /** Sent as X-Forwarded-For: for a service with TRUST_PROXY. */
  address?: string;
}

interface Submission {
  /** Of the form, when the page has several. */
  action?: string;
  /** Of hidden fields that the page has not, or in place of the page's. */
  fields?: Record<string, string>;
}

/** An applicant's browser without JavaScript: cookies, forms with their hidden fields, redirects by hand. */
export class HostedClient {
  readonly cookies = new Map<string, string>();
  /** The page that is shown now. */
  page: HostedPage | undefined;

  constructor(
    private readonly baseUrl: string,
    private readonly options: HostedClientOptions = {},
  ) {}

  /** Another browser with the same cookies, as they are now; or the same one, at another replica. */
  copy(baseUrl = this.baseUrl): HostedClient {
    const copy = new HostedClient(baseUrl, this.options);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    copy.page = this.page;
    return copy;
  }

  get(path: string): Promise<HostedPage> {
    return this.send('GET', path);
  }

  /** Opens a page and whatever it leads to. */
  async open(path: string): Promise<HostedPage> {
    return this.follow(await this.get(path));
  }

  /** Follows redirects within the service. */
  async follow(page: HostedPage): Promise<HostedPage> {
    let at = page;
    for (let redirects = 0; at.location.startsWith('/'); redirects += 1) {
      if (redirects === MAX_REDIRECTS)
        throw new Error(`redirected for ever, now to ${at.location}`);
      at = await this.get(at.location);
    }
    return at;
  }

  /** Sends exactly this form; no hidden field is added. */
  post(path: string, fields: Record<string, string>): Promise<HostedPage> {
    return this.send('POST', path, fields);
  }

  /** Fills in and sends a form of the page that is shown, its hidden fields with it. */
  submit(
    fields: Record<string, string> = {},
    { action, fields: more = {} }: Submission = {},
  ): Promise<HostedPage> {
    const form = formOf(this.page!, action);
    return this.post(form.action, { ...form.hidden, ...fields, ...more });
  }

  /** The same, and whatever it leads to. */
  async send303(fields?: Record<string, string>, submission?: Submission): Promise<HostedPage> {
    return this.follow(await this.submit(fields, submission));
  }

  private async send(
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

/** A form of a page's main part: where it goes, and the fields that nobody sees. */
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

/** Text without tags, blanks in a row as one, and entities as what they stand for. */
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

/** A mobile number that no other test has. */
export function newMobile(): string {
  return `9${String(randomInt(10 ** 9)).padStart(9, '0')}`;
}

export interface HostedStart {
  readonly id: string;
  readonly mobile: string;
  /** The path of the hosted link. */
  readonly link: string;
}

/** Starts a hosted journey as a partner; by default everything is given. */
export async function startHosted(
  service: TestService,
  options: LoanRequestOptions = {},
): Promise<HostedStart> {
  const mobile = options.mobile ?? newMobile();
  const body = loanRequest({ ...options, channel: 'API_HOSTED', mobile });
  const { status, json } = await partnerClient(service).initiate(body);
  expect([status, json.error]).toEqual([200, undefined]);
  const { journeyId, hostedUrl } = json.data;
  return { id: journeyId, mobile, link: new URL(hostedUrl).pathname };
}

interface InboxMessage {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
}

/** What the applicant's telephone shows, newest first. */
export async function messagesTo(service: TestService, mobile: string): Promise<InboxMessage[]> {
  const response = await fetch(`${service.baseUrl}/sandbox/inbox.json?mobile=${mobile}`);
  const { data } = (await response.json()) as { data: { messages: InboxMessage[] } };
  return data.messages;
}

/** The code in the newest SMS; with `not`, one that came after that one. */
export function codeFor(service: TestService, mobile: string, not?: string): Promise<string> {
  return findInMessages(service, mobile, /(?:^|\D)(\d{6})(?:\D|$)/, 'ONE_TIME_CODE', not);
}

/** The path of the link in the newest SMS. */
export async function linkFor(service: TestService, mobile: string, not?: string): Promise<string> {
  await passHeadStart(service);
  return findInMessages(service, mobile, /(\/hosted\/start\/[\w-]+)/, 'HOSTED_LINK', not);
}

/**
 * Has what was put into the outbox sent at once: the sender leaves it to whoever has put it there for the first seconds,
 * and a link that was asked for is put there at the service's next look.
 */
export async function passHeadStart(service: TestService): Promise<void> {
  const poller = service.get<DuePoller>(DuePoller);
  const waiting = 'SELECT 1 FROM link_requests WHERE due_at <= app_now()';
  await eventually(async () => {
    poller.lookNow();
    return (await service.get<Database>(Database).query(waiting)).length === 0;
  });
  await service.travel(HEAD_START_MS);
}

function findInMessages(
  service: TestService,
  mobile: string,
  pattern: RegExp,
  kind: string,
  not?: string,
): Promise<string> {
  return eventuallyFound(
    async () => {
      const newest = (await messagesTo(service, mobile)).find((message) => message.kind === kind);
      const found = newest && pattern.exec(newest.text)?.[1];
      return found === not ? null : found;
    },
    { withinMs: SMS_MS },
  );
}

/** Presses the link's button: the code is asked for. */
export async function atCode(
  service: TestService,
  start: HostedStart,
  options: HostedClientOptions = {},
): Promise<HostedClient> {
  const client = new HostedClient(service.baseUrl, options);
  await client.open(start.link);
  const page = await client.send303();
  expect([page.path, page.status]).toEqual(['/hosted/code', 200]);
  return client;
}

/** Signs in with the code from the SMS; the client is at the journey's own screen then. */
export async function signedIn(
  service: TestService,
  start: HostedStart,
  options: HostedClientOptions = {},
): Promise<HostedClient> {
  const client = await atCode(service, start, options);
  const page = await client.send303({ code: await codeFor(service, start.mobile) });
  expect(page.status).toBe(200);
  return client;
}

/** Agrees, and confirms the details as the partner gave them: the lenders are asked then. */
export async function confirmed(
  service: TestService,
  start: HostedStart,
  options: HostedClientOptions = {},
): Promise<HostedClient> {
  const client = await signedIn(service, start, options);
  expect(client.page!.path).toBe('/hosted/consent');
  await client.send303({ agree: '1' });
  expect(client.page!.path).toBe('/hosted/check');
  await client.send303();
  return client;
}
