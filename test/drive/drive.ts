import type { Answer, CallOptions } from '../support/partner-client.ts';
import { HostedClient, type HostedPage, plain } from '../support/hosted-browser.ts';
import type { MailServer } from '../support/mail-server.ts';
import { PARTNER_PREFIX, PartnerClient } from '../support/partner-client.ts';
import { type KeyCredentials, sandboxCredentials } from '../support/sandbox-credentials.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';
import { pageRecord } from './page-record.ts';
import { StableText } from './stable-text.ts';

/** One thing that was observed: a response, a page, an event, a text message. */
export interface Step {
  readonly what: string;
  readonly [part: string]: unknown;
}

export interface Scenario {
  readonly name: string;
  readonly days?: number;
  play(drive: Drive): Promise<void>;
}

export interface Stage {
  readonly baseUrl: string;
  readonly receiver: WebhookReceiver;
  readonly mails: MailServer;
}

interface StreamedEvent {
  readonly event: string;
  readonly sequence: number;
  readonly journeyId?: string;
  readonly applicationId?: string;
}

interface InboxMessage {
  readonly kind: string;
  readonly text: string;
}

export type Language = 'en' | 'hi';

const HEADERS = ['allow', 'cache-control', 'content-type', 'location', 'retry-after'] as const;
/** Long enough for a due SMS; shorter than the sandbox's slow replies. */
const SETTLE_SECONDS = 6;

/** Drives and records one scenario: the partner's calls, applicants' browsers and the sandbox's clock. */
export class Drive {
  readonly stage: Stage;
  readonly startsAt: Date;
  readonly partner: PartnerClient;
  private readonly steps: Step[] = [];
  private readonly stable = new StableText();
  private readonly operator: PartnerClient;
  private readonly firstMobile: number;
  private readonly mobiles: string[] = [];
  private cursor = '';

  constructor(stage: Stage, startsAt: Date, firstMobile: number) {
    this.stage = stage;
    this.startsAt = startsAt;
    this.firstMobile = firstMobile;
    this.operator = new PartnerClient({ baseUrl: stage.baseUrl, ...loadKey() });
    this.partner = this.partnerWith(loadKey());
  }

  partnerWith(key: KeyCredentials, note: Note = (step) => this.note(step)): PartnerClient {
    return new RecordedPartner({ baseUrl: this.stage.baseUrl, ...key }, note);
  }

  browser(language: Language = 'en'): RecordedBrowser {
    return new RecordedBrowser(this.stage.baseUrl, language, (step) => this.note(step));
  }

  newMobile(): string {
    const mobile = String(this.firstMobile + this.mobiles.length);
    this.mobiles.push(mobile);
    return mobile;
  }

  note(step: Step): void {
    this.steps.push(this.stable.value(step) as Step);
  }

  /** Records the e-mails that arrived since the last call. */
  noteMails(): void {
    for (const { to, source } of this.stage.mails.received.splice(0)) {
      const [, subject = ''] = /^Subject: (.*)$/m.exec(source) ?? [];
      const text = source.slice(source.indexOf('\r\n\r\n')).replaceAll('=\r\n', '').trim();
      this.note({ what: 'e-mail', to, subject, text: text.split('\r\n') });
    }
  }

  settle(): Promise<void> {
    return this.travel(SETTLE_SECONDS);
  }

  travel(seconds: number): Promise<void> {
    return this.move({ advanceSeconds: seconds });
  }

  async begin(): Promise<void> {
    await this.move({ to: this.startsAt.toISOString() });
    await this.newEvents();
  }

  async code(mobile: string): Promise<string> {
    await this.settle();
    const messages = await this.messages(mobile);
    const newest = messages.find(({ kind }) => kind === 'ONE_TIME_CODE');
    const code = /(?:^|\D)(\d{6})(?:\D|$)/.exec(newest?.text ?? '')?.[1];
    if (code === undefined) throw new Error(`no code was sent to ${mobile}`);
    return code;
  }

  async link(mobile: string): Promise<string> {
    await this.settle();
    for (const { text } of await this.messages(mobile)) {
      const link = /https?:\/\/\S+/.exec(text)?.[0];
      if (link !== undefined) return link;
    }
    throw new Error(`no link was sent to ${mobile}`);
  }

  async end(): Promise<readonly Step[]> {
    await this.settle();
    const events = (await this.newEvents()).filter(({ journeyId, applicationId }) =>
      [journeyId, applicationId].some((id) => id !== undefined && this.stable.knows(id)),
    );
    // Events of one journey are in sequence; those of different journeys come in any order.
    const order = ({ applicationId = '', sequence }: StreamedEvent) =>
      `${this.stable.text(applicationId)} ${String(sequence).padStart(3, '0')}`;
    for (const event of events.toSorted((a, b) => order(a).localeCompare(order(b)))) {
      this.note({ what: `event ${event.event}`, body: event });
    }
    for (const mobile of this.mobiles) {
      for (const { kind, text } of (await this.messages(mobile)).toReversed()) {
        const isCode = kind === 'ONE_TIME_CODE';
        this.note({ what: `SMS ${kind}`, text: isCode ? text.replace(/\d{6}/g, '<code>') : text });
      }
    }
    return this.steps;
  }

  private async move(body: object): Promise<void> {
    const { status, json } = await this.operator.post<{ hasArrived: boolean }>(
      '/sandbox/time',
      body,
    );
    if (status !== 200) throw new Error(`sandbox/time: ${status} ${JSON.stringify(json)}`);
    if (!json.data.hasArrived) throw new Error('the sandbox has not arrived in time');
  }

  private async newEvents(): Promise<StreamedEvent[]> {
    const found: StreamedEvent[] = [];
    for (;;) {
      const { json } = await this.operator.get<{ events: StreamedEvent[]; next: string }>(
        `/events?limit=100&after=${encodeURIComponent(this.cursor)}`,
      );
      found.push(...json.data.events);
      this.cursor = json.data.next;
      if (json.data.events.length === 0) return found;
    }
  }

  private async messages(mobile: string): Promise<InboxMessage[]> {
    const answer = await fetch(`${this.stage.baseUrl}/sandbox/inbox.json?mobile=${mobile}`);
    const { data } = (await answer.json()) as { data: { messages: InboxMessage[] } };
    return data.messages;
  }
}

type Note = (step: Step) => void;

class RecordedPartner extends PartnerClient {
  private readonly note: Note;

  constructor(options: ConstructorParameters<typeof PartnerClient>[0], note: Note) {
    super(options);
    this.note = note;
  }

  override async request<Data = Record<string, unknown>>(
    method: string,
    target: string,
    options: CallOptions = {},
  ): Promise<Answer<Data>> {
    const answer = await super.request<Data>(method, target, options);
    const { kind, step } = { ...(options.body as { kind?: string; step?: string } | undefined) };
    const what = [method, target.replace(PARTNER_PREFIX, ''), kind ?? step].filter(Boolean);
    const { status, json } = answer;
    const headers = Object.fromEntries(HEADERS.map((name) => [name, answer.headers[name]]));
    // The rate window follows the machine's clock.
    if (status === 429) headers['retry-after'] = '<seconds>';
    this.note({ what: what.join(' '), status, headers, body: json });
    return answer;
  }
}

/** An applicant's browser without JavaScript that records its pages. */
export class RecordedBrowser extends HostedClient {
  private readonly note: Note;

  constructor(baseUrl: string, language: Language, note: Note) {
    super(baseUrl, { language });
    this.note = note;
  }

  /** @throws Error if there is none */
  linkTo(pattern: RegExp): string {
    const { text, path } = this.page!;
    const found = linksOf(text).find((href) => pattern.test(href));
    if (found === undefined) throw new Error(`no link ${String(pattern)} on ${path}`);
    return found;
  }

  override async follow(page: HostedPage): Promise<HostedPage> {
    const at = await super.follow(page);
    const url = /content="0; url=([^"]+)"/.exec(at.text)?.[1];
    if (url === undefined) return at;
    const { pathname, search } = new URL(plain(url));
    return this.open(pathname + search);
  }

  protected override async send(
    method: string,
    path: string,
    fields?: Record<string, string>,
  ): Promise<HostedPage> {
    const page = await super.send(method, path, fields);
    const { status, location, headers } = page;
    const isPage = (headers.get('content-type') ?? '').startsWith('text/html');
    this.note({
      what: `page ${method} ${path}`,
      status,
      headers: Object.fromEntries(HEADERS.map((name) => [name, headers.get(name) ?? undefined])),
      cookies: headers.getSetCookie().map((line) => line.replace(/=[^;]*/, '=')),
      ...(location === '' && isPage && { page: pageRecord(page) }),
    });
    return page;
  }
}

/** The targets of a page's links. */
export function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*href="([^"]*)"/g)].map(([, href = '']) => plain(href));
}

function loadKey(): KeyCredentials {
  return sandboxCredentials('demo', 'demo-load');
}
