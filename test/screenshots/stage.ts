import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { SignedClient } from '../../bench/support/signed-client.ts';
import { DESKTOP, openVisit, PHONE, type Visit } from '../support/browser-visit.ts';
import { eventuallyFound } from '../support/eventually.ts';
import { drawn, sidewaysOverflow } from '../support/browser-checks.ts';

const DEVICE_PIXELS = 2;

/** How the screens are looked at: a device, a language and a colour scheme. */
export interface Look {
  readonly name: string;
  readonly viewport: { width: number; height: number };
  readonly language: 'en' | 'hi';
  readonly colorScheme: 'light' | 'dark';
  /** The system's own colours in place of the page's. */
  readonly forcedColors?: 'active';
}

/** What is left of a small laptop's window when its page is enlarged to 400 %. */
const ZOOMED = { width: 320, height: 256 } as const;

/** The height, in pixels, below which the action bar never sticks: 36em in `7-forms.css`. */
const LOW_WINDOW = 576;

export const LOOKS: readonly Look[] = [
  { name: 'phone', viewport: PHONE, language: 'en', colorScheme: 'light' },
  { name: 'desktop', viewport: DESKTOP, language: 'en', colorScheme: 'light' },
  { name: 'phone-hindi', viewport: PHONE, language: 'hi', colorScheme: 'light' },
  { name: 'desktop-hindi', viewport: DESKTOP, language: 'hi', colorScheme: 'light' },
  { name: 'phone-dark', viewport: PHONE, language: 'en', colorScheme: 'dark' },
  { name: 'phone-hindi-dark', viewport: PHONE, language: 'hi', colorScheme: 'dark' },
  {
    name: 'forced-colours',
    viewport: PHONE,
    language: 'en',
    colorScheme: 'dark',
    forcedColors: 'active',
  },
  { name: 'zoomed', viewport: ZOOMED, language: 'en', colorScheme: 'light' },
  { name: 'zoomed-hindi', viewport: ZOOMED, language: 'hi', colorScheme: 'light' },
];

/** A walk through screens; it takes a picture of each with `stage.shoot`. */
export interface Scene {
  readonly name: string;
  play(stage: Stage): Promise<void>;
}

interface Message {
  readonly mobile: string;
  readonly text: string;
}

type Data = Record<string, unknown>;

const INBOX_MS = 60_000;
/** Pictures are no measurement: a busy machine may take its time. */
const ACTION_MS = 90_000;
/** Partners pass on what the applicant has written in their app. */
const PIECES = { en: ['necklace', 'two bangles'], hi: ['हार', 'दो चूड़ियाँ'] } as const;

/** What a scene has to work with: a person's browser, a partner's calls, the SMS that arrived. */
export class Stage {
  readonly look: Look;
  readonly page: Page;
  readonly baseUrl: string;
  /** The applicant's. */
  readonly mobile: string;
  /** Screens that can be scrolled sideways, which none should. */
  readonly tooWide: string[] = [];
  shots = 0;
  private readonly partner: SignedClient;
  private readonly visit: Visit;
  private readonly folder: string;

  private constructor(baseUrl: string, look: Look, visit: Visit, folder: string, mobile: string) {
    this.baseUrl = baseUrl;
    this.look = look;
    this.visit = visit;
    this.page = visit.page;
    visit.context.setDefaultTimeout(ACTION_MS);
    visit.context.setDefaultNavigationTimeout(ACTION_MS);
    this.folder = folder;
    this.mobile = mobile;
    this.partner = new SignedClient(baseUrl);
    mkdirSync(folder, { recursive: true });
  }

  /** @param mobile of the applicant of this scene, and of no other: the inbox is shared */
  static async open(
    browser: Browser,
    baseUrl: string,
    { look, folder, mobile }: { look: Look; folder: string; mobile: string },
  ): Promise<Stage> {
    const visit = await openVisit(
      browser,
      baseUrl,
      {
        viewport: look.viewport,
        language: look.language,
        colorScheme: look.colorScheme,
        forcedColors: look.forcedColors,
      },
      DEVICE_PIXELS,
    );
    return new Stage(baseUrl, look, visit, join(folder, look.name), mobile);
  }

  get foreignRequests(): readonly string[] {
    return this.visit.foreignRequests;
  }

  /** Takes a picture of the whole page, with the action bar at its end, as after scrolling there. */
  async shoot(name: string): Promise<void> {
    await drawn(this.page);
    if ((await sidewaysOverflow(this.page)) > 0) this.tooWide.push(`${this.look.name}/${name}`);
    await this.drawBarAtEnd();
    await this.page.screenshot({ path: join(this.folder, `${name}.png`), fullPage: true });
    await this.page.setViewportSize(this.look.viewport);
    this.shots += 1;
  }

  /** In a window as high as the page nothing sticks; a low window has no sticky bar, and rules of its own. */
  private async drawBarAtEnd(): Promise<void> {
    const { width, height } = this.look.viewport;
    if (height < LOW_WINDOW) return;
    const whole = await this.page.evaluate<number>('document.documentElement.scrollHeight');
    await this.page.setViewportSize({ width, height: Math.max(whole, height) });
  }

  /** Opens an address of the service, or a link of it. */
  async goto(address: string): Promise<void> {
    await this.page.goto(address);
  }

  /** Presses the page's main button and waits for what comes. */
  async continue(): Promise<void> {
    const button = this.page.locator('main .btn:not(.btn-2)').first();
    await Promise.all([this.page.waitForEvent('domcontentloaded'), button.click()]);
  }

  /**
   * A partner's call; the answer's data.
   * @param session of a headless journey
   */
  async call(path: string, body: object, session?: string): Promise<Data> {
    const target = `/api/v1/partner${path}`;
    return dataOf(await this.partner.post(target, JSON.stringify(body), ofSession(session)));
  }

  /** The same for a call that only reads. */
  async read(path: string, session?: string): Promise<Data> {
    return dataOf(await this.partner.get(`/api/v1/partner${path}`, ofSession(session)));
  }

  /** The body of a request for a loan, for this scene's applicant. */
  loanRequest(
    fields: Record<string, unknown> = {},
    customer: Record<string, unknown> = {},
  ): object {
    const productCode = fields.productCode ?? 'ONLINE_PERSONAL';
    return {
      channel: 'API_HOSTED',
      productCode,
      mobile: this.mobile,
      loanAmount: 200_000,
      customer: {
        fullName: 'Asha Verma',
        pan: 'ABCDE1234F',
        dob: '1990-04-15',
        gender: 'FEMALE',
        employmentType: 'salaried',
        monthlyIncome: 60_000,
        pinCode: '560001',
        ...customer,
      },
      ...(productCode === 'ONLINE_GOLD' && {
        goldLoanDetails: { jewellaryList: PIECES[this.look.language], grams: '42.5' },
      }),
      ...fields,
    };
  }

  /** The same of a partner that tells little: what is missing is asked. */
  shortRequest(): object {
    return {
      channel: 'API_HOSTED',
      mobile: this.mobile,
      loanAmount: 200_000,
      customer: {
        pan: 'ABCDE1234F',
        dob: '1990-04-15',
        pinCode: '560001',
        termsAccepted: true,
        monthlyIncome: 60_000,
      },
    };
  }

  /** What the newest SMS to this scene's applicant holds: the pattern's first group. */
  sms(pattern: RegExp): Promise<string> {
    return eventuallyFound(
      async () => {
        const answer = await fetch(`${this.baseUrl}/sandbox/inbox.json?mobile=${this.mobile}`);
        const { data } = (await answer.json()) as { data: { messages: Message[] } };
        return data.messages.map(({ text }) => pattern.exec(text)?.[1]).find((found) => found);
      },
      { withinMs: INBOX_MS },
    );
  }

  async close(): Promise<void> {
    this.partner.close();
    await this.visit.close();
  }
}

function ofSession(session?: string): Record<string, string> {
  return session === undefined ? {} : { 'x-journey-session': session };
}

function dataOf(answer: string): Data {
  return (JSON.parse(answer) as { data: Data }).data;
}
