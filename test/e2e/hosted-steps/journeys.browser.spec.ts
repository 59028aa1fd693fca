import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import { browserTests, DESKTOP, weighedPages } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { askForLink, linkFor, startHosted } from '../../support/hosted-client.js';
import { pressMain } from '../../support/hosted-visit.js';
import { partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { expectQuiet, PhoneApplicant } from './phone-applicant.js';
import { StepJourney, WAIT } from './step-journey.js';

/** Limits in bytes: the first page with fonts and style, and what each later page may add. */
const FIRST_BYTES = 100_000;
const LATER_BYTES = 10_000;
/** About a kilometre from the branch of Ernakulam. */
const IN_KOCHI = { latitude: 9.98, longitude: 76.28 };

const visit = browserTests();

/** Delays a script, as a slow network does; the returned function releases it. */
async function withheld(page: Page, script: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/${script}*`, (route) => promise.then(() => route.continue()));
  return resolve;
}

const service = serviceOfFile();

async function outcomeOf(journeyId: string): Promise<string> {
  return (await partnerClient(service).journey(journeyId)).json.data.outcome;
}

function headed(page: Page, language: 'en' | 'hi', key: string, values = {}): Promise<void> {
  return page.getByRole('heading', { name: translate(language, key, values) }).waitFor();
}

it('ONLINE_GOLD in Hindi on a phone, from the link to the money: light pages; the nearest branch comes first, and where they are is not sent', async () => {
  // The payout takes half a minute.
  const start = await startHosted(service, { productCode: 'ONLINE_GOLD', pan: 'SANDX0008A' });
  const phone = await visit(service.baseUrl, { language: 'hi' });
  const { page } = phone;
  const weights = await weighedPages(page);
  const applicant = new PhoneApplicant(service, phone, async (path) => {
    if (path === '/hosted/disbursement') await service.travel(31_000);
    if (path !== '/hosted/branch') return;
    const names = () => page.locator('.branch b').allInnerTexts();
    expect(await names()).toEqual(['Ameerpet', 'Ernakulam', 'R. S. Puram', 'T. Nagar']);
    const nearest = page.locator('#branch-nearest-button');
    await nearest.click();
    await page.getByText(translate('hi', 'offers.visit.denied')).waitFor();
    await phone.context.grantPermissions(['geolocation']);
    await phone.context.setGeolocation(IN_KOCHI);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await nearest.click();
    await page.getByText(translate('hi', 'offers.visit.sorted')).waitFor();
    expect(await names()).toEqual(['Ernakulam', 'R. S. Puram', 'T. Nagar', 'Ameerpet']);
    await page.getByText(translate('hi', 'offers.branch.away', { distance: '1.1' })).waitFor();
    expect(sent).toEqual([]);
  });
  await applicant.follow(start);
  await applicant.goOnTo('/hosted/done');
  for (const passed of ['/hosted/branch', '/hosted/disbursement'])
    expect(applicant.passed).toContain(passed);
  expect(await outcomeOf(start.id)).toBe('SANCTIONED');
  await page.waitForLoadState('networkidle');
  const [first, ...later] = [...weights].filter(([path]) => path.startsWith('/hosted/'));
  expect(first[0]).toBe(start.link);
  expect(first[1]).toBeGreaterThan(10_000);
  expect(first[1]).toBeLessThan(FIRST_BYTES);
  expect(later.length).toBeGreaterThan(10);
  expect(later.filter(([, bytes]) => bytes >= LATER_BYTES)).toEqual([]);
  expectQuiet(phone);
});

it('without JavaScript, stopped half-way, and resumed on another device through a fresh link; has its language chosen on the page, and remembers it', async () => {
  const start = await startHosted(service);
  const first = await visit(service.baseUrl, { javaScript: false });
  const { page } = first;
  const main = () => page.locator('main .btn:not(.btn-2):visible').first();
  const looks: Record<string, () => Promise<void>> = {
    [start.link]: async () => {
      await page.getByRole('button', { name: 'हिन्दी' }).click();
      await headed(page, 'hi', 'entry.start.title', { amount: '₹2,00,000' });
    },
    '/hosted/code': async () => {
      await headed(page, 'hi', 'entry.code.title');
      await page.locator('#code').fill('000000');
      await pressMain(page);
      await page.getByRole('link', { name: 'OTP सही नहीं है। बची कोशिशें: 4' }).waitFor();
      // After a submitted form, the language switch reloads the page and submits nothing.
      await page.getByRole('button', { name: 'English' }).click();
      await headed(page, 'en', 'entry.code.title');
    },
    '/hosted/consent': async () => {
      const parts = page.locator('main .fold');
      expect(await parts.count()).toBe(5);
      expect(await parts.locator('summary .fold-short').allInnerTexts()).not.toContain('');
      const lenders = parts.first().locator('li');
      expect([await lenders.count(), await lenders.first().isVisible()]).toEqual([3, false]);
      await parts.first().locator('summary').click();
      expect(await lenders.first().isVisible()).toBe(true);
      // A required field is empty; the consent to calls is kept.
      await page.locator('#calls').check();
      await pressMain(page);
      expect(await page.locator('#calls').isChecked()).toBe(true);
    },
  };
  const applicant = new PhoneApplicant(service, first, async (path) => {
    if (!path.endsWith('/confirm')) return looks[path]?.();
    await page.getByRole('link', { name: 'Change the loan amount' }).click();
    await page.fill('#loanAmount', '१५००००');
    await page.getByRole('button', { name: 'Update figures' }).click();
    await page
      .locator('#loan-figures')
      .getByText(/₹[45],\d{3}/)
      .waitFor();
    expect(await page.inputValue('#loanAmount')).toBe('1,50,000');
    await main().click();
    await page.waitForURL('**/confirm?**');
  });
  await applicant.follow(start);
  await applicant.goOnTo('/hosted/bank-account');
  expectQuiet(first);
  await first.close();

  await askForLink(service, start.mobile);
  const fresh = await linkFor(service, start.mobile);
  const second = await visit(service.baseUrl, { javaScript: false, viewport: DESKTOP });
  const again = new PhoneApplicant(service, second);
  await again.follow({ ...start, link: fresh });
  expect(again.path()).toBe('/hosted/bank-account');
  await again.goOnTo('/hosted/done');
  expect(await outcomeOf(start.id)).toBe('SANCTIONED');
  expectQuiet(second);
});

it('a page that waits goes on while the service cannot be reached for a moment; figures of an amount that the offer does not cover are marked', async () => {
  const journey = await StepJourney.begin(service, { pan: 'SANDX0002A' });
  const phone = await visit(service.baseUrl);
  const { page } = phone;
  const applicant = new PhoneApplicant(service, phone);
  await eventually(async () => {
    await service.travel(5_000);
    expect((await journey.view()).offers.length).toBeGreaterThanOrEqual(2);
  }, WAIT);
  await applicant.resume(journey);
  expect(applicant.path()).toBe('/hosted/waiting');
  const away = { status: 503, contentType: 'text/html', body: '<h1>Away</h1>' };
  const answered = (status: number) =>
    page.waitForResponse((one) => one.url().endsWith('/hosted/waiting') && one.status() === status);
  // Waits from before the route, because the page may use it at once.
  const unreachable = answered(503);
  await page.route('**/hosted/waiting', (route) => route.fulfill(away), { times: 1 });
  await unreachable;
  await answered(200);
  await service.travel(121_000);
  await applicant.goOnTo('/hosted/offers');
  await page.locator('.without', { hasText: translate('en', 'offers.without.silent') }).waitFor();

  await page.locator('a.btn:not(.btn-2):visible').first().click();
  const giveScript = await withheld(page, 'loan-amount');
  await page.getByRole('link', { name: 'Change the loan amount' }).click();
  await page.locator('#loan-figures').getByText('₹6,594').waitFor();
  // An amount that the offer does not cover is not quoted. The figures stay marked, and the button explains why.
  await page.fill('#loanAmount', '5');
  giveScript();
  await page.locator('#loan-figures[data-stale]').waitFor();
  await page.getByRole('button', { name: 'Use this amount' }).click();
  await page.getByRole('link', { name: 'Enter ₹1,000 to ₹2,00,000' }).waitFor();
});

it('an IFSC that is typed before the page’s script is there shows its branch', async () => {
  const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
  const phone = await visit(service.baseUrl);
  const { page } = phone;
  await new PhoneApplicant(service, phone).resume(journey);
  const giveScript = await withheld(page, 'bank-branch');
  await page.reload({ waitUntil: 'commit' });
  await page.fill('#ifscCode', 'HDFC0001234');
  giveScript();
  await expect.poll(() => page.locator('#bank-branch').innerText()).toContain('HDFC');
});

it('a form that is sent without cookies gives the link to copy', async () => {
  const { link } = await startHosted(service);
  const { page, context, goto } = await visit(service.baseUrl);
  await goto(link);
  await context.clearCookies();
  await pressMain(page);
  await page.getByRole('heading', { name: 'Cookies are off here' }).waitFor();
  expect(await page.locator('#link').inputValue()).toBe(service.baseUrl + link);
  await page.locator('#copy').click();
  await expect.poll(() => page.locator('#copy').innerText()).toBe('Copied');
});
