import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserTests, type Visit } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { newMobile, startHosted } from '../../support/hosted-client.js';
import { loanRequest, shortLoanRequest } from '../../support/loan-requests.js';
import { type PageSize, sizeOf, sizeOfShown } from '../../support/page-size.js';
import { partnerClient } from '../../support/partner-client.js';
import { PhoneApplicant } from '../hosted-steps/phone-applicant.js';
import { StepJourney, WAIT } from '../hosted-steps/step-journey.js';
import { InstantLoanBench } from '../instant-loans/instant-loan-bench.js';

/** Of the design: what a page, and the pages of a journey together, may ask of a reader in English. */
interface Budgets {
  readonly pages: Readonly<Record<string, { words: number; screens: number }>>;
  readonly journeys: Readonly<Record<string, { words: number; pages: readonly string[] }>>;
}

type Language = 'en' | 'hi';
type Sizes = Record<Language, Record<string, PageSize>>;

const BUDGETS = JSON.parse(
  readFileSync(new URL('budgets.json', import.meta.url), 'utf8'),
) as Budgets;
const LANGUAGES = ['en', 'hi'] as const;
/** Hindi says the same in more words. */
const HINDI_WORDS = 1.25;
/** Everybody reads these to their end before they press. */
const BUTTON_AT_THE_END = ['check', 'confirm'];
/** Nothing is to be pressed while the applicant waits. */
const WITHOUT_BUTTON = ['waiting', 'instant-waiting'];

const GOLD = { productCode: 'ONLINE_GOLD' };
const SLOW_LENDERS = { pan: 'SANDX0002A' };
const SLOW_PAYOUT = { pan: 'SANDX0008A' };

const visit = browserTests();
let bench: InstantLoanBench;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
});

afterAll(() => bench?.close());

/** What is over its budget, and by how much. */
function excess(sizes: Sizes): string[] {
  return LANGUAGES.flatMap((language) =>
    Object.entries(sizes[language]).flatMap(([name, size]) =>
      excessOf(name, language, size).map((found) => `${name} (${language}): ${found}`),
    ),
  );
}

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

/** The words of a journey's pages over its budget. */
function excessOfJourney(name: string, sizes: Sizes): string[] {
  const { words, pages } = BUDGETS.journeys[name];
  return LANGUAGES.flatMap((language) => {
    const seen = sizes[language];
    expect(Object.keys(seen)).toEqual(expect.arrayContaining([...pages]));
    const sum = pages.reduce((before, page) => before + seen[page].words, 0);
    const most = wordsIn(language, words);
    return sum > most ? [`${name} (${language}): ${sum} words, at most ${most}`] : [];
  });
}

/** The sizes of pages in both languages, of one applicant. */
class Measuring {
  readonly sizes: Sizes = { en: {}, hi: {} };

  constructor(readonly phone: Visit) {}

  static async begin(): Promise<Measuring> {
    return new Measuring(await visit(bench.service.baseUrl));
  }

  async measure(name: string, path: string): Promise<void> {
    for (const language of LANGUAGES) {
      const url = new URL(path, bench.service.baseUrl).href;
      this.sizes[language][name] = await sizeOf(this.phone.context, url, language);
    }
  }

  /** Of the page that the applicant is shown, in English. */
  async measureShown(name: string): Promise<void> {
    const { page, context } = this.phone;
    this.sizes.en[name] = await sizeOfShown(page);
    this.sizes.hi[name] = await sizeOf(context, page.url(), 'hi');
  }

  /** Of the page that a journey is at, or another one of it. */
  async measureAt(name: string, journey: StepJourney, path = '/hosted'): Promise<void> {
    await this.phone.context.clearCookies();
    await this.phone.context.addCookies([
      {
        name: 'session',
        value: journey.client.cookies.get('session')!,
        url: bench.service.baseUrl,
      },
    ]);
    await this.measure(name, path);
  }
}

const NAMES: readonly [RegExp, string][] = [
  [/^\/hosted\/start\/.*$/, 'start'],
  [/^\/hosted\/offers\/.*\/confirm$/, 'confirm'],
  [/^\/hosted\/branch$/, 'gold-branch'],
  [/^\/hosted\/(waiting|disbursement)$/, 'passing'],
  [/^\/hosted\/([a-z-]+)$/, '$1'],
];

/** A page of the journey by its path; the pages that pass of their own accord are measured elsewhere. */
function nameOf(path: string): string | undefined {
  const [pattern, name] = NAMES.find(([one]) => one.test(path)) ?? [];
  return pattern && name !== 'passing' ? path.replace(pattern, name!) : undefined;
}

/** From the link to the money, and the two pages on which the applicant only waits. */
async function walked(
  request: object,
  options: object,
  names: Readonly<Record<string, string>> = {},
): Promise<Sizes> {
  const measuring = await Measuring.begin();
  const { service } = bench;
  const mobile = newMobile();
  const { json } = await partnerClient(service).initiate({ ...request, mobile });
  const applicant: PhoneApplicant = new PhoneApplicant(service, measuring.phone, async (path) => {
    const name = nameOf(path);
    if (name) await measuring.measureShown(names[name] ?? name);
  });
  await applicant.follow({ link: new URL(json.data.hostedUrl).pathname, mobile });
  await applicant.goOnTo('/hosted/done');
  const passing = await waitsOf(options);
  for (const language of LANGUAGES) Object.assign(measuring.sizes[language], passing[language]);
  return measuring.sizes;
}

/** By product. */
const waits = new Map<string, Promise<Sizes>>();

/** The two pages on which the applicant of a product only waits, measured once. */
function waitsOf(options: object): Promise<Sizes> {
  const product = JSON.stringify(options);
  const sizes = waits.get(product) ?? measureWaits(options);
  waits.set(product, sizes);
  return sizes;
}

async function measureWaits(options: object): Promise<Sizes> {
  const { service } = bench;
  const measuring = await Measuring.begin();
  const money = { ...options, ...SLOW_PAYOUT };
  const waiting = await StepJourney.begin(service, { ...options, ...SLOW_LENDERS });
  await measuring.measureAt('waiting', waiting);
  await measuring.measureAt('money', await StepJourney.at('DISBURSEMENT_PENDING', service, money));
  return measuring.sizes;
}

describe('a journey keeps to its budget of words, and each page of it to its words, height and button', () => {
  it('personal', async () => {
    const sizes = await walked(loanRequest({ channel: 'API_HOSTED' }), {});
    expect([...excess(sizes), ...excessOfJourney('personal', sizes)]).toEqual([]);
  });

  it('personalWithDetails', async () => {
    const request = shortLoanRequest({ firstName: undefined, lastName: undefined });
    const body = { ...request, channel: 'API_HOSTED' };
    const sizes = await walked(body, {}, { start: 'start-amount' });
    expect([...excess(sizes), ...excessOfJourney('personalWithDetails', sizes)]).toEqual([]);
  });

  it('gold', async () => {
    const request = loanRequest({ channel: 'API_HOSTED', ...GOLD });
    const sizes = await walked(request, GOLD, { offers: 'gold-offers' });
    expect([...excess(sizes), ...excessOfJourney('gold', sizes)]).toEqual([]);
  });

  it('instant', async () => {
    const measuring = await Measuring.begin();
    const done = (loan: { redirectUrl: string }) => `${loan.redirectUrl}/done`;
    await measuring.measure('instant-choose', (await bench.offered()).redirectUrl);
    await measuring.measure('instant-pay', (await bench.apply()).redirectUrl);
    for (const [name, pan, status] of [
      ['instant-declined', 'SANDX0013A', 'REJECTED'],
      ['instant-approved', 'ABCDE1234F', 'SANCTIONED'],
    ] as const) {
      const loan = await bench.apply({ pan });
      await bench.atGateway(loan, 'pay');
      await bench.reaches(loan.applicationId, status);
      await measuring.measure(name, done(loan));
    }
    const slow = await bench.applySlowly();
    await bench.atGateway(slow, 'pay');
    await bench.reaches(slow.applicationId, 'PAYMENT_RECEIVED');
    await measuring.measure('instant-waiting', done(slow));
    const { sizes } = measuring;
    expect([...excess(sizes), ...excessOfJourney('instant', sizes)]).toEqual([]);
  });
});

describe('a page that not every journey has keeps to its words, height and button', () => {
  it.each([
    ['offers-one', 'OFFERS_RECEIVED', { pan: 'SANDX0003A' }, '/hosted'],
    ['no-offers', 'REJECTED', { pan: 'SANDX0001A' }, '/hosted'],
    ['stop', 'OFFERS_RECEIVED', {}, '/hosted/stop'],
  ] as const)('%s', async (name, state, options, path) => {
    const measuring = await Measuring.begin();
    await measuring.measureAt(name, await StepJourney.at(state, bench.service, options), path);
    expect(excess(measuring.sizes)).toEqual([]);
  });

  it('offers-without', async () => {
    const journey = await StepJourney.begin(bench.service, SLOW_LENDERS);
    await bench.service.travel(11_000);
    // Two have answered by now; the third is waited for until its deadline.
    await eventually(async () => expect((await journey.view()).offers).toHaveLength(2), WAIT);
    await bench.service.travel(120_000);
    await journey.reaches('OFFERS_RECEIVED');
    const measuring = await Measuring.begin();
    await measuring.measureAt('offers-without', journey);
    expect(excess(measuring.sizes)).toEqual([]);
  });

  it('amount', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service);
    const { offers } = await journey.view();
    const measuring = await Measuring.begin();
    await measuring.measureAt('amount', journey, `/hosted/offers/${offers[0].offerId}`);
    expect(excess(measuring.sizes)).toEqual([]);
  });

  it('expired', async () => {
    const start = await startHosted(bench.service);
    const measuring = await Measuring.begin();
    await bench.records.query(
      `UPDATE hosted_links SET expires_at = app_now() WHERE journey_id = $1`,
      [start.id],
    );
    await measuring.measure('expired', start.link);
    expect(excess(measuring.sizes)).toEqual([]);
  });

  it.each(LANGUAGES)('details-errors, in %s', async (language) => {
    const mobile = newMobile();
    const request = shortLoanRequest({ firstName: undefined, lastName: undefined });
    const { json } = await partnerClient(bench.service).initiate({
      ...request,
      mobile,
      channel: 'API_HOSTED',
      loanAmount: 200_000,
    });
    const phone = await visit(bench.service.baseUrl, { language });
    const applicant = new PhoneApplicant(bench.service, phone);
    await applicant.follow({ link: new URL(json.data.hostedUrl).pathname, mobile });
    await applicant.goOnTo('/hosted/details');
    const { page } = phone;
    await page.locator('main .btn:not(.btn-2)').first().click();
    await page.locator('.errors').waitFor();
    const size = await sizeOfShown(page);
    expect(excessOf('details-errors', language, size)).toEqual([]);
  });
});
