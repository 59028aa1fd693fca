import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import type { Visit } from '../../support/browser.js';
import { codeFor, type HostedStart } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { ACCOUNT, type StepJourney } from './step-journey.js';

const PAGE_MS = 60_000;
const MAX_PAGES = 40;

/** Pages without a step, which redirect automatically. */
const PASSING: ReadonlySet<string> = new Set(['/hosted/waiting', '/hosted/disbursement']);

/** An applicant with a phone who fills in each page, in any language. */
export class PhoneApplicant {
  /** The paths of the visited pages, in order. */
  readonly passed: string[] = [];
  /** @param look is called on each page before it is filled in */
  constructor(
    private readonly service: TestService,
    private readonly visit: Visit,
    private readonly look: (path: string) => Promise<void> = () => Promise.resolve(),
  ) {}

  get page(): Page {
    return this.visit.page;
  }

  /** From the link that the partner got. */
  async follow({ link, mobile }: Pick<HostedStart, 'link' | 'mobile'>): Promise<void> {
    await this.visit.goto(link);
    await this.look(link);
    const amount = this.page.locator('#loanAmount');
    if (await amount.isVisible()) await amount.fill('2,00,000');
    await this.pressOn();
    await this.page.waitForURL('**/hosted/code', { timeout: PAGE_MS });
    await this.look('/hosted/code');
    await this.page.fill('#code', await codeFor(this.service, mobile));
    await this.pressOn();
    await this.left('/hosted/code');
  }

  /** Signs in with the journey's cookie. */
  async resume(journey: StepJourney): Promise<void> {
    await this.visit.context.addCookies([
      {
        name: 'session',
        value: journey.client.cookies.get('session')!,
        url: this.service.baseUrl,
      },
    ]);
    await this.visit.goto('/hosted');
  }

  /** Continues page by page until one of these paths. */
  async goOnTo(...ends: readonly string[]): Promise<string> {
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const path = this.path();
      this.passed.push(path);
      await this.look(path);
      if (ends.includes(path)) return path;
      await this.answer(path);
    }
    throw new Error(`never came to ${ends.join(' or ')}, but to ${this.passed.join(', ')}`);
  }

  path(): string {
    return new URL(this.page.url()).pathname;
  }

  private async answer(path: string): Promise<void> {
    if (PASSING.has(path) || (await this.page.locator('#live').isVisible())) return this.left(path);
    // A page of the sandbox or of a lender.
    const isProvider = path.startsWith('/sandbox/provider/') || path.includes('/visits/');
    if (isProvider) return this.approve();
    await this.fillIn(path);
    await this.left(path);
  }

  /** The next page may have the same address: some lenders handle several steps there. */
  private async approve(): Promise<void> {
    const { page } = this;
    const next = page.waitForEvent('domcontentloaded', { timeout: PAGE_MS });
    await Promise.all([next, page.click('button[value="approve"]')]);
    await page.waitForLoadState();
  }

  private async fillIn(path: string): Promise<void> {
    const { page } = this;
    if (path === '/hosted/consent') await page.check('#agree');
    if (path === '/hosted/details') await this.fillInDetails();
    if (path === '/hosted/branch') await page.check('#branchLocationId-1');
    if (path === '/hosted/bank-account') await this.fillInAccount();
    if (path.endsWith('/confirm')) await page.check('#hasRead');
    await this.pressOn();
  }

  /** Fills in the details that the page asks for. */
  private async fillInDetails(): Promise<void> {
    const { page } = this;
    const name = page.locator('#fullName');
    if (await name.isVisible()) await name.fill('Asha Verma');
    for (const choice of ['[name=gender][value=FEMALE]', '[name=employmentType][value=salaried]']) {
      if (await page.locator(choice).isVisible()) await page.check(choice);
    }
  }

  private async fillInAccount(): Promise<void> {
    await this.page.check(`[name=acctype][value=${ACCOUNT.acctype}]`);
    for (const name of ['accNo', 'accNoAgain', 'ifscCode'] as const) {
      await this.page.fill(`#${name}`, ACCOUNT[name]);
    }
    // Without JavaScript the page shows the bank after the form is sent, and asks to continue.
    if (!this.visit.hasScript) await this.pressOn();
    await this.page.getByText('HDFC Bank').waitFor();
  }

  /** The page's main button or link. */
  private pressOn(): Promise<void> {
    return this.page.locator('main .btn:not(.btn-2):visible').first().click();
  }

  /** @throws Error with the page's text when the path stays the same */
  private async left(path: string): Promise<void> {
    try {
      await this.page.waitForURL((url) => url.pathname !== path, { timeout: PAGE_MS });
    } catch (error) {
      const words = await this.page.locator('main').innerText();
      throw new Error(`stays on ${path}: ${words}`, { cause: error });
    }
    await this.page.waitForLoadState();
  }
}

/** Nothing was loaded from another host, and the browser logged no error. */
export function expectQuiet({ foreignRequests, complaints }: Visit): void {
  expect(foreignRequests).toEqual([]);
  expect(complaints).toEqual([]);
}
