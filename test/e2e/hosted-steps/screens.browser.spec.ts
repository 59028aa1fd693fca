import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Page } from 'playwright-core';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import {
  axeCheck,
  axeInBothLights,
  browserTests,
  pageWeight,
  sidewaysOverflow,
  type Visit,
  zoomText,
} from '../../support/browser.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { VisitedJourney } from '../journeys/visited-journey.js';
import { expectQuiet, PhoneApplicant } from './phone-applicant.js';
import { ACCOUNT, StepJourney } from './step-journey.js';

const visit = browserTests();

const NARROW = { width: 320, height: 640 };

const GOLD = { productCode: 'ONLINE_GOLD' };
const SLOW_PAYOUT = { pan: 'SANDX0008A' };

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

afterEach(() => {
  vi.restoreAllMocks();
});

type Language = 'en' | 'hi';
type Arrange = (page: Page, journey: StepJourney) => Promise<void>;

/** A state of a journey, options of its beginning, and what its applicant does there. */
type Screen = [state: string, options: object, arrange?: Arrange];

const SCREENS: [name: string, ...Screen][] = [
  ['offers', 'OFFERS_RECEIVED', {}],
  ['amount', 'OFFERS_RECEIVED', GOLD, toAmount],
  ['amount with a mistake', 'OFFERS_RECEIVED', {}, wrongAmount],
  ['confirmation', 'OFFERS_RECEIVED', {}, toConfirmation],
  ['statement before the choice', 'OFFERS_RECEIVED', {}, statement],
  ['lender away', 'OFFERS_RECEIVED', {}, lenderAway],
  ['a press while another is recorded', 'OFFERS_RECEIVED', {}, aMoment],
  ['branch', 'OFFER_SELECTED', GOLD],
  ['KYC', 'KYC_PENDING', {}],
  ['KYC undecided', 'KYC_PENDING', { pan: 'SANDX0012A' }, undecided],
  ['bank account', 'BANK_ACCOUNT_PENDING', {}],
  ['mandate', 'MANDATE_PENDING', {}],
  ['signature', 'ESIGN_PENDING', {}],
  ['disbursement', 'DISBURSEMENT_PENDING', SLOW_PAYOUT],
  ['done', 'SANCTIONED', GOLD, openDetails],
  ['an instalment that cannot be paid', 'SANCTIONED', {}, cannotPay],
  ['rejected without an offer', 'REJECTED', { pan: 'SANDX0001A' }],
  ['abandoned', 'ABANDONED', {}, undefined],
  ['stop', 'KYC_PENDING', {}, (page) => toPage(page, 'stop')],
];

/** By the screen above that shows the same parts, in Hindi only: its texts are the longest. */
const FURTHER_STATES: [like: string, name: string, ...Screen][] = [
  ['offers', 'offers with one only', 'OFFERS_RECEIVED', { pan: 'SANDX0003A' }],
  ['offers', 'offers, one of them run out', 'OFFERS_RECEIVED', {}, oneRunOut],
  ['confirmation', 'confirmation not ticked', 'OFFERS_RECEIVED', {}, unticked],
  ['branch', 'branch not chosen', 'OFFER_SELECTED', GOLD, (page) => press(page)],
  ['KYC', 'KYC failed once', 'KYC_PENDING', { pan: 'SANDX0004A' }, failedOnce],
  [
    'bank account',
    'bank account whose branch is to be checked',
    'BANK_ACCOUNT_PENDING',
    {},
    branchToCheck,
  ],
  ['bank account', 'bank account with every mistake', 'BANK_ACCOUNT_PENDING', {}, wrongAccount],
  ['bank account', 'bank account refused', 'BANK_ACCOUNT_PENDING', {}, refusedAccount],
  [
    'disbursement',
    'disbursement of a gold loan',
    'DISBURSEMENT_PENDING',
    { ...GOLD, ...SLOW_PAYOUT },
  ],
  ['rejected without an offer', 'rejected with a lender', 'REJECTED', { pan: 'SANDX0007A' }],
  ['offers', 'another offer', 'KYC_PENDING', {}, (page) => toPage(page, 'offers')],
  ['confirmation', 'another offer, confirmation', 'BANK_ACCOUNT_PENDING', {}, toAnother],
  ['KYC', 'the last step before the choice binds', 'KYC_PENDING', {}, binding],
  ['abandoned', 'stopped', 'KYC_PENDING', {}, stopped],
];

/** What a headless journey's applicant is shown before the first provider. */
const ACKNOWLEDGEMENTS: [string, ((page: Page) => Promise<void>)?][] = [
  ['headless: acknowledgement'],
  ['headless: acknowledgement not ticked', pressUnticked],
  ['headless: statement', wholeStatement],
];

describe('no rule of WCAG 2.2 AA is broken, in either language and either light', () => {
  it.each(SCREENS)('%s', (_, ...screen) => expectNoBreachOf(screen));

  it.each(FURTHER_STATES)('like %s: %s', (_, __, ...screen) => expectNoBreachOf(screen, ['hi']));

  it.each(ACKNOWLEDGEMENTS)('%s', async (_, arrange) => {
    const journey = await VisitedJourney.start(service, {});
    const { currentNextAction } = await journey.goOnTo('KYC_PENDING');
    await expectNoBreach(async ({ page, goto }) => {
      await goto(currentNextAction.url!);
      await page.waitForSelector('#hasRead');
      await arrange?.(page);
    });
  });
});

describe('with forced colours, as people with weak eyes set them', () => {
  it('the way that is done, and that something is waited for, can still be seen', async () => {
    // It is paid out soon.
    const journey = await arriveAt('DISBURSEMENT_PENDING', SLOW_PAYOUT);
    const phone = await visit(service.baseUrl);
    const { page } = phone;
    await page.emulateMedia({ forcedColors: 'active' });
    await new PhoneApplicant(service, phone).resume(journey);
    const marks = await page.evaluate<string[]>(`['.is-done', '.is-now'].map((mark) =>
      getComputedStyle(document.querySelector('.time ' + mark), '::before').borderTopColor)`);
    expect(marks[0]).not.toBe(marks[1]);
    await axeCheck(page);
  });
});

describe('at 400 %', () => {
  it('the header leaves the page to what it is about', async () => {
    const journey = await journeyToLookAt('OFFERS_RECEIVED', {});
    const phone = await visit(service.baseUrl, { viewport: { width: 320, height: 256 } });
    await new PhoneApplicant(service, phone).resume(journey);
    const header = await phone.page.locator('.top').boundingBox();
    expect(header!.height).toBeLessThan(50);
    expect(await sidewaysOverflow(phone.page)).toBe(0);
  });
});

describe('the offers page', () => {
  it('weighs less than 60 KB before fonts, and asks no other host', async () => {
    const journey = await journeyToLookAt('OFFERS_RECEIVED', GOLD);
    const phone = await visit(service.baseUrl);
    await new PhoneApplicant(service, phone).resume(journey);
    expect((await pageWeight(phone.page)).withoutFonts).toBeLessThan(60_000);
    expectQuiet(phone);
  });
});

async function expectNoBreachOf(
  [state, options, arrange]: Screen,
  languages?: readonly Language[],
): Promise<void> {
  const isChanged = arrange && CHANGES.has(arrange);
  const journey = await (isChanged ? arriveAt(state, options) : journeyToLookAt(state, options));
  await expectNoBreach(async (phone) => {
    await new PhoneApplicant(service, phone).resume(journey);
    await arrange?.(phone.page, journey);
  }, languages);
}

/** A screen as it is opened in each language on a narrow phone, in each light, and with large text. */
async function expectNoBreach(
  open: (phone: Visit) => Promise<void>,
  languages: readonly Language[] = ['en', 'hi'],
): Promise<void> {
  for (const language of languages) {
    const phone = await visit(service.baseUrl, { language, viewport: NARROW });
    const { page } = phone;
    await open(phone);
    expect(await page.getAttribute('html', 'lang')).toBe(language);
    await axeInBothLights(page);
    expect(await sidewaysOverflow(page)).toBe(0);
    await zoomText(page, 2);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(phone.foreignRequests).toEqual([]);
    await phone.close();
  }
}

/** They change the journey: the others have one for all that only look at a state. */
const CHANGES: ReadonlySet<Arrange> = new Set([
  aMoment,
  binding,
  failedOnce,
  lenderAway,
  oneRunOut,
  refusedAccount,
  stopped,
  undecided,
]);

const lookedAt = new Map<string, Promise<StepJourney>>();

function journeyToLookAt(state: string, options: object): Promise<StepJourney> {
  const key = JSON.stringify([state, options]);
  const journey = lookedAt.get(key) ?? arriveAt(state, options);
  lookedAt.set(key, journey);
  return journey;
}

async function arriveAt(state: string, options: object): Promise<StepJourney> {
  if (state !== 'ABANDONED') return StepJourney.at(state, service, options);
  const journey = await StepJourney.at('KYC_PENDING', service, options);
  await journey.query(
    `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
  );
  await journey.reaches('ABANDONED');
  return journey;
}

async function aMoment(page: Page, journey: StepJourney): Promise<void> {
  await journey.query(
    `UPDATE journeys SET lease_until = app_now() + interval '10 minutes' WHERE id = $1`,
  );
  await page.goto('/hosted/moment');
}

async function press(page: Page): Promise<void> {
  await page.locator('main .btn:not(.btn-2):visible').first().click();
  await page.waitForLoadState();
}

async function toAmount(page: Page): Promise<void> {
  await toConfirmation(page);
  await page.locator('.rows a[href*="amount="]').click();
  await page.waitForSelector('#loanAmount');
}

async function wrongAmount(page: Page): Promise<void> {
  await toAmount(page);
  await page.fill('#loanAmount', 'much');
  await page.locator('.bar .btn').click();
  await page.waitForSelector('.errors');
}

async function toConfirmation(page: Page): Promise<void> {
  await page.locator('.offer-actions a[href*="/confirm"]').first().click();
  await page.waitForSelector('#hasRead');
}

async function unticked(page: Page): Promise<void> {
  await toConfirmation(page);
  await pressUnticked(page);
}

async function pressUnticked(page: Page): Promise<void> {
  await press(page);
  await page.waitForSelector('.errors');
  // Whoever listens, or looks at a part of the page, begins with what is wrong.
  await page.waitForFunction(`document.activeElement?.matches('.errors')`);
}

async function wholeStatement(page: Page): Promise<void> {
  await page.locator('a[href*="/kfs/"]').first().click();
  await page.waitForURL('**/kfs/*');
}

async function statement(page: Page): Promise<void> {
  await toConfirmation(page);
  await page.locator('a[href*="/key-facts/"]').first().click();
  await page.waitForURL('**/key-facts/**');
}

async function lenderAway(page: Page): Promise<void> {
  const quote = vi
    .spyOn(service.get(SandboxLender), 'quote')
    .mockRejectedValue(new LenderUnavailable('down'));
  await page.locator('.offer-actions a[href*="/confirm"]').first().click();
  await page.locator('main > a.btn[href*="/confirm"]').waitFor();
  quote.mockRestore();
}

async function oneRunOut(page: Page, journey: StepJourney): Promise<void> {
  const { offers } = await journey.view();
  await journey.query(
    `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
    [offers[0].offerId],
  );
  await page.goto('/hosted/offers?notice=expired');
}

async function toPage(page: Page, name: string): Promise<void> {
  await page.goto(`/hosted/${name}`);
}

async function toAnother(page: Page): Promise<void> {
  await toPage(page, 'offers');
  await toConfirmation(page);
}

async function binding(page: Page, journey: StepJourney): Promise<void> {
  await journey.query(
    `UPDATE journey_offers SET terms = terms || '{"bindsAfter":"KYC"}' WHERE journey_id = $1`,
  );
  await page.reload();
}

async function stopped(page: Page, journey: StepJourney): Promise<void> {
  if ((await journey.view()).state === 'KYC_PENDING') {
    await journey.client.open('/hosted/stop');
    await journey.client.submit();
  }
  await toPage(page, 'abandoned');
}

async function failedOnce(page: Page, journey: StepJourney): Promise<void> {
  const { redirect } = await journey.view();
  if (redirect!.attempt === 1) await journey.client.get('/hosted/returned/KYC');
  await page.goto('/hosted/kyc');
  await page.waitForSelector('.call[role=alert]');
}

async function undecided(page: Page, journey: StepJourney): Promise<void> {
  // For as long as anybody looks, not for the ten seconds of the reserved PAN.
  const lender = service.get(SandboxLender);
  const ask = lender.ask.bind(lender);
  vi.spyOn(lender, 'ask').mockImplementation((question) =>
    question.kind === 'KYC'
      ? Promise.resolve({ status: 'PENDING', askAgainInMs: 600_000 })
      : ask(question),
  );
  const { redirect } = await journey.view();
  const opened = await journey.client.get(new URL(redirect!.url).pathname);
  await journey.client.post(opened.location, { decision: 'approve' });
  await journey.client.get('/hosted/returned/KYC');
  await page.goto('/hosted/kyc');
  await page.waitForSelector('#live');
}

async function wrongAccount(page: Page): Promise<void> {
  await page.fill('#accHolderName', '');
  await press(page);
  await page.waitForSelector('.errors');
}

async function branchToCheck(page: Page): Promise<void> {
  await page.route('**/bank-account/branch', (route) => route.abort());
  await page.check(`[name=acctype][value=${ACCOUNT.acctype}]`);
  await page.fill('#accNo', ACCOUNT.accNo);
  await page.fill('#accNoAgain', ACCOUNT.accNoAgain);
  await page.fill('#ifscCode', 'HDFC0ZZZZZZ');
  await press(page);
  await page.waitForSelector('#bank-branch .call-warn');
}

async function refusedAccount(page: Page): Promise<void> {
  const refusal = vi.spyOn(service.get(SandboxLender), 'verifyAccount');
  refusal.mockResolvedValue({ kind: 'REFUSED', reason: 'ACCOUNT_NOT_FOUND' });
  await page.check(`[name=acctype][value=${ACCOUNT.acctype}]`);
  for (const name of ['accNo', 'accNoAgain', 'ifscCode'] as const) {
    await page.fill(`#${name}`, ACCOUNT[name]);
  }
  await page.getByText('HDFC Bank').waitFor();
  await press(page);
  await page.waitForSelector('.errors');
}

async function cannotPay(page: Page): Promise<void> {
  await openDetails(page);
  await page.click('a[href="/hosted/done/cannot-pay"]');
  await page.waitForURL('**/cannot-pay');
}

async function openDetails(page: Page): Promise<void> {
  for (const fold of await page.locator('main summary').all()) await fold.click();
}
