import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { axeInBothLights, sidewaysOverflow, type Visit, zoomText } from '../../support/browser.js';
import { type PageSize, sizeOf, sizeOfShown } from '../../support/page-size.js';
import type { StepJourney } from '../hosted-steps/step-journey.js';

export type Language = 'en' | 'hi';

/** What a page, and the pages of a journey together, may ask of a reader in English. */
interface Budgets {
  readonly pages: Readonly<Record<string, { words: number; screens: number }>>;
  readonly journeys: Readonly<Record<string, { words: number; pages: readonly string[] }>>;
}

const BUDGETS = JSON.parse(
  readFileSync(new URL('budgets.json', import.meta.url), 'utf8'),
) as Budgets;
/** Hindi says the same in more words. */
const HINDI_WORDS = 1.25;
/** Applicants read these to their end before they press. */
const BUTTON_AT_THE_END = ['check', 'confirm'];
/** Nothing is to be pressed while the applicant waits. */
const WITHOUT_BUTTON = ['waiting', 'instant-waiting'];

export const NARROW = { width: 320, height: 640 };

/** The words of pages, by language and name. */
export type Words = Record<Language, Record<string, number>>;

/** A visit on a narrow phone; `look` checks what holds of every page. */
export class PageWalk {
  readonly words: Words = { en: {}, hi: {} };
  /** How many pages were looked at. */
  looks = 0;

  constructor(
    private readonly phone: Visit,
    readonly language: Language,
  ) {}

  get page(): Page {
    return this.phone.page;
  }

  /** Signs the applicant of a journey in, and opens the page that the journey is at. */
  async signIn({ client, service: { baseUrl: url } }: StepJourney, path = '/hosted') {
    const value = client.cookies.get('session')!;
    await this.phone.context.addCookies([{ name: 'session', value, url }]);
    await this.goto(path);
  }

  async goto(path: string): Promise<void> {
    await this.phone.goto(path);
  }

  /** Opens a page and looks at it. */
  async visit(path: string, name?: string): Promise<void> {
    await this.goto(path);
    await this.look(name);
  }

  /** Presses the page's main button, and waits for what comes. */
  async press(): Promise<void> {
    const button = this.page.locator('main .btn:not(.btn-2):visible').first();
    await Promise.all([this.page.waitForEvent('domcontentloaded'), button.click()]);
    await this.page.waitForLoadState();
  }

  /** Follows the first link to an address that contains this. */
  async follow(href: string): Promise<void> {
    const link = this.page.locator(`main a[href*="${href}"]`).first();
    await Promise.all([this.page.waitForEvent('domcontentloaded'), link.click()]);
    await this.page.waitForLoadState();
  }

  /** @param name of the page's budget, if it has one */
  async look(name?: string, isFormResult = false): Promise<void> {
    const { page, phone } = this;
    const at = `${name ?? ''} ${page.url()}`;
    this.looks += 1;
    if (name) await this.measure(name, isFormResult);
    expectEqual([at, await page.getAttribute('html', 'lang')], [at, this.language]);
    await axeInBothLights(page);
    expectEqual([at, await sidewaysOverflow(page)], [at, 0]);
    await zoomText(page, 2);
    expectEqual([at, 'zoomed', await sidewaysOverflow(page)], [at, 'zoomed', 0]);
    await zoomText(page, 0.5);
    // The status of a page that is refused is a complaint, too; an asset that is missing stays one.
    const complaints = phone.complaints.filter(
      (one) => !one.startsWith('Failed to load resource') || one.includes('/assets/'),
    );
    expectEqual([at, phone.foreignRequests, complaints], [at, [], []]);
  }

  /** Holds the page against its budget: as it is shown, and unless a form led to it in the other language. */
  async measure(name: string, isFormResult = false): Promise<void> {
    const { page, language } = this;
    this.keep(name, language, await sizeOfShown(page));
    await page.setViewportSize(NARROW);
    if (isFormResult) return;
    const other = language === 'en' ? 'hi' : 'en';
    this.keep(name, other, await sizeOf(page.context(), page.url(), other));
  }

  private keep(name: string, language: Language, size: PageSize): void {
    expectEqual([name, language, excessOf(name, language, size)], [name, language, []]);
    this.words[language][name] = size.words;
  }
}

/** What is over the budget of a page, and by how much. */
function excessOf(name: string, language: Language, size: PageSize): string[] {
  const budget = BUDGETS.pages[name];
  if (!budget) return ['has no budget'];
  const words = wordsIn(language, budget.words);
  const screens = size.screens.toFixed(2);
  const isLate = size.lastButtonAt > budget.screens;
  return [
    size.words > words && `${size.words} words, at most ${words}`,
    Number(screens) > budget.screens && `${screens} screens, at most ${budget.screens}`,
    isLate && `its last button ends at ${size.lastButtonAt.toFixed(2)} screens`,
    WITHOUT_BUTTON.includes(name) !== (size.buttons === 0) && `${size.buttons} buttons`,
    size.buttons > 0 &&
      !size.isButtonSeen &&
      !BUTTON_AT_THE_END.includes(name) &&
      'its button is out of sight',
  ].filter((found) => found !== false);
}

function wordsIn(language: Language, english: number): number {
  return language === 'hi' ? Math.floor(english * HINDI_WORDS) : english;
}

/** Holds the words of a journey's pages together against its budget. */
export function expectJourneyWithinBudget(journey: string, ...pages: Words[]): void {
  const { words: most, pages: names } = BUDGETS.journeys[journey];
  for (const language of ['en', 'hi'] as const) {
    const words = Object.assign({}, ...pages.map((one) => one[language])) as Words['en'];
    expect(Object.keys(words)).toEqual(expect.arrayContaining([...names]));
    const sum = names.reduce((before, name) => before + words[name], 0);
    expect(sum, `words of ${journey} in ${language}`).toBeLessThanOrEqual(wordsIn(language, most));
  }
}

function expectEqual(found: unknown, expected: unknown): void {
  expect(found).toEqual(expected);
}
