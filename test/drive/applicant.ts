import { formOf, type HostedPage } from '../support/hosted-browser.ts';
import { type Drive, linksOf, type RecordedBrowser } from './drive.ts';

export interface Choices {
  readonly until?: RegExp;
  readonly decisions?: readonly string[];
  readonly accounts?: readonly string[];
  readonly payments?: readonly Readonly<Record<string, string>>[];
  readonly looksAround?: boolean;
  readonly sendsEmptyFirst?: boolean;
}

const MAX_PAGES = 60;
const MAX_WAITS = 4;
const WAIT_SECONDS = 45;
const PROVIDER_LINK = /\/r\/[\w.-]+$/;
const CONFIRM_LINK = /^\/hosted\/offers\/[^/]+\/confirm/;
const OWN_LINK = /^(?:http:\/\/127\.0\.0\.1:\d+)?\/(?:hosted|kfs|data|ranking|pay)\b/;
const SIMULATED = /^\/sandbox\/(?:provider|payment)\//;
const ACCOUNT_NUMBER = '123456789012';
const ENTRIES: Readonly<Record<string, string>> = {
  fullName: 'Asha Verma',
  gender: 'FEMALE',
  employmentType: 'salaried',
  monthlyIncome: '60,000',
  agree: '1',
  hasRead: '1',
  loanAmount: '2,00,000',
  accHolderName: 'Asha Verma',
  acctype: 'SAVINGS',
  ifscCode: 'HDFC0001234',
};

/** An applicant who fills in and submits each page. */
export class Applicant {
  readonly browser: RecordedBrowser;
  readonly mobile: string;
  private readonly drive: Drive;
  private readonly used = new Map<readonly unknown[], number>();
  private readonly seen = new Set<string>();

  constructor(drive: Drive, browser: RecordedBrowser, mobile = '') {
    this.drive = drive;
    this.browser = browser;
    this.mobile = mobile;
  }

  get page(): HostedPage {
    return this.browser.page!;
  }

  async follow(url: string, choices: Choices = {}): Promise<HostedPage> {
    await this.drive.settle();
    await this.browser.open(url);
    return this.goOn(choices);
  }

  async goOn(choices: Choices = {}): Promise<HostedPage> {
    let waits = 0;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const { path } = this.page;
      if (choices.until?.test(path)) return this.page;
      if (choices.looksAround) await this.lookAround();
      if (choices.sendsEmptyFirst) await this.sendEmpty();
      const isAnswered = await this.answer(choices);
      waits = isAnswered ? 0 : waits + 1;
      if (isAnswered) continue;
      if (!isWaiting(this.page) || waits > MAX_WAITS) return this.page;
      await this.drive.travel(WAIT_SECONDS);
      await this.browser.open(path.startsWith('/hosted') ? '/hosted' : path);
    }
    throw new Error(`the applicant did not come to an end, but to ${this.page.path}`);
  }

  private async answer(choices: Choices): Promise<boolean> {
    const { path, text } = this.page;
    if (path.startsWith('/sandbox/provider/')) {
      return this.send({ decision: this.next(choices.decisions, 'approve') });
    }
    if (path.startsWith('/sandbox/payment/')) {
      return this.send(this.next(choices.payments, { outcome: 'pay', method: 'upi' }));
    }
    if (path.startsWith('/hosted/offers') && !path.includes('/confirm')) {
      return this.open(CONFIRM_LINK);
    }
    if (PROVIDER_LINK.test(/class="btn" href="([^"]*)"/.exec(text)?.[1] ?? '')) {
      return this.open(PROVIDER_LINK);
    }
    const { payments = [] } = choices;
    const isPaid = payments.length > 0 && this.used.get(payments) === payments.length;
    if (!hasForm(this.page) || (path.startsWith('/pay/') && isPaid)) return false;
    if (path === '/hosted/code') return this.send({ code: await this.drive.code(this.mobile) });
    const account = this.next(
      path.includes('account') ? choices.accounts : undefined,
      ACCOUNT_NUMBER,
    );
    return this.send({ ...this.entriesFor(account) });
  }

  private entriesFor(account: string): Record<string, string> {
    const { text } = this.page;
    const branch = /name="branchLocationId" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const given = { ...ENTRIES, accNo: account, accNoAgain: account, branchLocationId: branch };
    return Object.fromEntries(
      Object.entries(given).filter(([name]) => text.includes(`name="${name}"`)),
    );
  }

  private async lookAround(): Promise<void> {
    const { page, browser } = this;
    if (SIMULATED.test(page.path) || !this.isNew(`around ${page.heading}`)) return;
    for (const link of linksOf(page.text)) {
      if (OWN_LINK.test(link) && this.isNew(link)) await browser.open(link);
    }
    browser.page = page;
  }

  private async sendEmpty(): Promise<void> {
    const { path, heading } = this.page;
    if (SIMULATED.test(path) || !hasForm(this.page) || !this.isNew(`empty ${heading}`)) return;
    // The start page has no fields, and it uses up the link.
    if (!path.startsWith('/hosted/start/')) await this.send({});
  }

  private isNew(path: string): boolean {
    const shape = path.replaceAll(/[a-z]+_[0-9a-f]{32}(?:\.[\w-]{20,})?/g, '<id>');
    const isNew = !this.seen.has(shape);
    this.seen.add(shape);
    return isNew;
  }

  private async send(fields: Record<string, string>): Promise<true> {
    const sent = await this.browser.submit(fields, { action: formOf(this.page).action });
    // Otherwise the next page would show a random number of finished lenders.
    await this.drive.settle();
    await this.browser.follow(sent);
    return true;
  }

  private async open(link: RegExp): Promise<true> {
    await this.browser.open(this.browser.linkTo(link));
    return true;
  }

  private next<Value>(list: readonly Value[] | undefined, usual: Value): Value {
    if (list === undefined) return usual;
    const count = this.used.get(list) ?? 0;
    this.used.set(list, count + 1);
    return list[Math.min(count, list.length - 1)] ?? usual;
  }
}

function hasForm({ text }: HostedPage): boolean {
  return /<main[^>]*>.*<form/s.test(text);
}

function isWaiting({ text }: HostedPage): boolean {
  return text.includes('http-equiv="refresh"');
}
