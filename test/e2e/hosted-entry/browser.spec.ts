import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import {
  axeInBothLights,
  browserTests,
  focusedName,
  pageWeight,
  pressTabTo,
  sidewaysOverflow,
  type Visit,
  type VisitOptions,
  zoomText,
} from '../../support/browser.js';
import {
  codeFor,
  confirmed,
  type HostedClient,
  linkFor,
  newMobile,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { pressMain, signInWith } from '../../support/hosted-visit.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const visit = browserTests();
const OFFERS_MS = 60_000;
const NARROW = { width: 320, height: 640 };

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

/** A journey of which the partner gave as little as it may. */
async function startedWithLittle() {
  const mobile = newMobile();
  const body = shortLoanRequest({ firstName: undefined, lastName: undefined });
  const { json } = await partnerClient(service).initiate({
    ...body,
    mobile,
    channel: 'API_HOSTED',
    loanAmount: 200_000,
  });
  return { id: json.data.journeyId, mobile, link: new URL(json.data.hostedUrl).pathname };
}

const path = (page: Page) => new URL(page.url()).pathname;

/** Nobody is shut out, nothing is cut off, nothing comes from elsewhere. */
async function inspect({ page, foreignRequests, complaints }: Visit, hasScript = true) {
  // The checks are scripts themselves: where there is none, what is drawn is the same.
  const overflow = hasScript ? await sidewaysOverflow(page) : 0;
  if (hasScript) await axeInBothLights(page);
  expect({ at: path(page), overflow, foreignRequests, complaints }).toEqual({
    at: path(page),
    overflow: 0,
    foreignRequests: [],
    complaints: [],
  });
}

/** A visit of an applicant who signed in elsewhere, at the journey's page. */
async function resumed({ cookies }: HostedClient, options: VisitOptions = {}): Promise<Visit> {
  const open = await visit(service.baseUrl, options);
  await open.context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url: service.baseUrl })),
  );
  await open.goto('/hosted');
  return open;
}

/** The page of an applicant whose lenders take long. */
async function waitingPage(options: VisitOptions = {}): Promise<Visit> {
  const start = await startHosted(service, { pan: 'SANDX0002A' });
  return resumed(await confirmed(service, start), options);
}

/** Every screen of the way in, looked at; the partner has given as little as it may. */
async function walkIn(open: Visit, hasScript: boolean): Promise<string[]> {
  const { page } = open;
  const start = await startedWithLittle();
  const seen: string[] = [];
  const look = async () => {
    seen.push(path(page));
    await inspect(open, hasScript);
  };
  await page.goto(start.link);
  await inspect(open, hasScript);
  await pressMain(page);
  await look();
  await page.locator('#code').fill('12');
  await pressMain(page);
  await look();
  await page.locator('#code').fill(await codeFor(service, start.mobile));
  await pressMain(page);
  await look();
  await pressMain(page);
  await look();
  await page.locator('#agree').check();
  await pressMain(page);
  await look();
  await page.locator('#fullName').fill('Asha Verma');
  await page.locator('#gender').check();
  await page.locator('#employmentType').check();
  await pressMain(page);
  await look();
  await pressMain(page);
  await page.waitForURL('**/hosted/offers', { timeout: OFFERS_MS });
  return seen;
}

const WAY = [
  '/hosted/code',
  '/hosted/code',
  '/hosted/consent',
  '/hosted/consent',
  '/hosted/details',
  '/hosted/check',
];

describe('the way in, in a browser on a phone', () => {
  it.each([
    ['with a script, in English', { language: 'en', javaScript: true, viewport: NARROW }],
    ['with a script, in Hindi', { language: 'hi', javaScript: true, viewport: NARROW }],
    ['without a script, in Hindi', { language: 'hi', javaScript: false }],
  ] as const)('leads from the link to the offers, open to everybody: %s', async (_, options) => {
    const open = await visit(service.baseUrl, options);
    expect(await walkIn(open, options.javaScript)).toEqual(WAY);
  });

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

  it('goes on by itself while the lenders are asked, with a script and without', async () => {
    for (const javaScript of [true, false]) {
      const client = await signedIn(service, await startHosted(service, { pan: 'SANDX0003A' }));
      const { page } = await resumed(client, { javaScript });
      await page.locator('#agree').check();
      await pressMain(page);
      await pressMain(page);
      await page.waitForURL('**/hosted/offers', { timeout: OFFERS_MS });
      expect(path(page)).toBe('/hosted/offers');
    }
  });

  it('goes on waiting while the service cannot be reached for a moment', async () => {
    const { page } = await waitingPage();
    expect(path(page)).toBe('/hosted/waiting');
    const away = { status: 503, contentType: 'text/html', body: '<h1>Away</h1>' };
    await page.route('**/hosted/waiting', (route) => route.fulfill(away), { times: 2 });
    for (const status of [503, 503, 200]) {
      const isIt = (answer: { url: () => string }) => answer.url().endsWith('/hosted/waiting');
      expect((await page.waitForResponse(isIt)).status()).toBe(status);
    }
    await page.getByRole('heading', { name: translate('en', 'entry.waiting.title') }).waitFor();
  });

  it('waits in the open: the lenders that have answered are named, and it fits the phone', async () => {
    const open = await waitingPage({ language: 'hi' });
    expect(path(open.page)).toBe('/hosted/waiting');
    await inspect(open);
    await open.page.getByText('Navdhara Capital Limited').waitFor();
  });

  it('is light, and can be read at twice the size', async () => {
    const { page } = await visit(service.baseUrl);
    const start = await startHosted(service);
    expect((await pageWeight(page, start.link)).withoutFonts).toBeLessThan(60_000);
    await zoomText(page, 2);
    expect(await sidewaysOverflow(page)).toBe(0);
    const { page: further } = await resumed(await signedIn(service, start));
    await further.locator('#agree').check();
    await pressMain(further);
    await zoomText(further, 2);
    expect([path(further), await sidewaysOverflow(further)]).toEqual(['/hosted/check', 0]);
  });
});

describe('the consent', () => {
  it.each(['en', 'hi'] as const)(
    'is in parts that open, each with its gist, and has a box for calls that is not ticked: %s',
    async (language) => {
      for (const javaScript of [true, false]) {
        const client = await signedIn(service, await startHosted(service));
        const { page } = await resumed(client, { language, javaScript });
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
      }
    },
  );
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

describe('the links that lead nowhere any more', () => {
  it('are open to everybody, too, in both languages', async () => {
    for (const language of ['en', 'hi'] as const) {
      const open = await visit(service.baseUrl, { language });
      const { page } = open;
      const start = await startHosted(service);
      await (await signedIn(service, start)).send303({ agree: '1' });
      for (const at of [start.link, '/hosted/start/unknown', '/hosted/link']) {
        await page.goto(at);
        await axeInBothLights(page);
        expect([at, await sidewaysOverflow(page)]).toEqual([at, 0]);
      }
      await page.goto(start.link);
      await pressMain(page);
      expect(path(page)).toBe('/hosted/link/sent');
      await axeInBothLights(page);
      await page.goto(await linkFor(service, start.mobile));
      await page.locator('main .btn:not(.btn-2)').waitFor();
      await axeInBothLights(page);
      expect(await sidewaysOverflow(page)).toBe(0);
    }
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
    await inspect(open, javaScript);
    const copy = page.locator('#copy');
    expect(await copy.isVisible()).toBe(javaScript);
    if (!javaScript) return;
    await copy.click();
    await expect.poll(() => copy.innerText()).toBe('Copied');
  });
});
