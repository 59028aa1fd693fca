import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import {
  browserTests,
  focusedName,
  pressTabTo,
  type Visit,
  type VisitOptions,
} from '../../support/browser.js';
import {
  codeFor,
  confirmed,
  type HostedClient,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { pressMain, signInWith } from '../../support/hosted-visit.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const visit = browserTests();
const OFFERS_MS = 60_000;

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

const path = (page: Page) => new URL(page.url()).pathname;

/** A visit of an applicant who signed in elsewhere, at the journey's page. */
async function resumed({ cookies }: HostedClient, options: VisitOptions = {}): Promise<Visit> {
  const open = await visit(service.baseUrl, options);
  await open.context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url: service.baseUrl })),
  );
  await open.goto('/hosted');
  return open;
}

describe('the way in, in a browser on a phone', () => {
  it('can be gone with a keyboard alone', async () => {
    const { page } = await visit(service.baseUrl);
    const start = await startHosted(service);
    const press = async (name: string) => {
      await pressTabTo(page, name);
      await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
    };
    await page.goto(start.link);
    await press('Send me the code');
    await pressTabTo(page, translate('en', 'entry.code.label'));
    await page.keyboard.type('000');
    await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
    // The mistake is where the reading starts, and leads to its field.
    await pressTabTo(page, 'Enter all 6 digits');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe(translate('en', 'entry.code.label'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(await codeFor(service, start.mobile));
    await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
    await pressTabTo(page, 'I have read this and I agree.');
    await page.keyboard.press('Space');
    await press('Continue');
    await press('Get my offers');
    await page.waitForURL('**/hosted/offers', { timeout: OFFERS_MS });
  });

  it('has its language chosen on the page, and remembers it', async () => {
    const { page } = await visit(service.baseUrl);
    const start = await startHosted(service);
    await page.goto(start.link);
    await page.getByRole('button', { name: 'हिन्दी' }).click();
    await page
      .getByRole('heading', { name: translate('hi', 'entry.start.title', { amount: '₹2,00,000' }) })
      .waitFor();
    await pressMain(page);
    await page.getByRole('heading', { name: translate('hi', 'entry.code.title') }).waitFor();
    await page.locator('#code').fill('000000');
    // After a form that was sent off, the switch opens the page again and sends nothing.
    await pressMain(page);
    await page.getByRole('link', { name: 'OTP सही नहीं है। बची कोशिशें: 4' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: translate('en', 'entry.code.title') }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('goes on waiting while the service cannot be reached for a moment', async () => {
    const start = await startHosted(service, { pan: 'SANDX0002A' });
    const { page } = await resumed(await confirmed(service, start));
    expect(path(page)).toBe('/hosted/waiting');
    const away = { status: 503, contentType: 'text/html', body: '<h1>Away</h1>' };
    await page.route('**/hosted/waiting', (route) => route.fulfill(away), { times: 2 });
    for (const status of [503, 503, 200]) {
      const isIt = (answer: { url: () => string }) => answer.url().endsWith('/hosted/waiting');
      expect((await page.waitForResponse(isIt)).status()).toBe(status);
    }
    await page.getByRole('heading', { name: translate('en', 'entry.waiting.title') }).waitFor();
  });
});

it('the consent is in parts that open without JavaScript, each with its gist, and its box for calls is not ticked', async () => {
  const client = await signedIn(service, await startHosted(service));
  const { page } = await resumed(client, { language: 'hi', javaScript: false });
  const parts = page.locator('main .fold');
  expect(await parts.count()).toBe(5);
  expect(await parts.locator('summary .fold-short').allInnerTexts()).not.toContain('');
  const lenders = parts.first().locator('li');
  expect([await lenders.count(), await lenders.first().isVisible()]).toEqual([3, false]);
  await parts.first().locator('summary').click();
  expect(await lenders.first().isVisible()).toBe(true);
  const calls = page.locator('#calls');
  expect(await calls.isChecked()).toBe(false);
  await calls.check();
  await pressMain(page);
  // What is needed is missing; the choice of calls is kept.
  expect([path(page), await calls.isChecked()]).toEqual(['/hosted/consent', true]);
  await page.locator('#agree').check();
  await pressMain(page);
  expect(path(page)).toBe('/hosted/check');
});

describe('Back', () => {
  it('repeats nothing: after the confirmation it leads on to where the journey is', async () => {
    const { page } = await visit(service.baseUrl);
    const start = await startHosted(service);
    await signInWith(page, service, start);
    await page.locator('#agree').check();
    await pressMain(page);
    await pressMain(page);
    await page.waitForURL('**/hosted/offers', { timeout: OFFERS_MS });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    for (let times = 0; times < 4; times += 1) {
      await page.goBack().catch(() => null);
    }
    expect(sent).toEqual([]);
    await page.goto('/hosted');
    expect(path(page)).toBe('/hosted/offers');
  });
});

describe('a form that is sent without cookies', () => {
  it.each([true, false])('gives the link to copy; with JavaScript: %s', async (javaScript) => {
    const { link } = await startHosted(service);
    const open = await visit(service.baseUrl, { javaScript });
    const { page, complaints } = open;
    await open.goto(link);
    await open.context.clearCookies();
    await pressMain(page);
    await page.getByRole('heading', { name: 'Cookies are off here' }).waitFor();
    // The browser complains about the status of the answer.
    complaints.splice(0);
    expect(await page.locator('#link').inputValue()).toBe(service.baseUrl + link);
    expect(complaints).toEqual([]);
    const copy = page.locator('#copy');
    expect(await copy.isVisible()).toBe(javaScript);
    if (!javaScript) return;
    await copy.click();
    await expect.poll(() => copy.innerText()).toBe('Copied');
  });
});
