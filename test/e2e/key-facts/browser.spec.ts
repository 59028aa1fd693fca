import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import {
  axeCheck,
  axeInBothLights,
  browserTests,
  DESKTOP,
  focusedName,
  pageWeight,
  pressTabTo,
  sidewaysOverflow,
  zoomText,
} from '../../support/browser.js';
import { JourneyBench, type TestJourney } from '../journeys/journey-bench.js';

const visit = browserTests();

const textOf = (key: string) => translate('en', key);

const LANGUAGES = [{ language: 'en' }, { language: 'hi' }] as const;

let bench: JourneyBench;
let gold: TestJourney;
let kfsPath: string;
let agreedPath: string;

beforeAll(async () => {
  bench = await JourneyBench.open();
  gold = await bench.startWithOffers({ productCode: 'ONLINE_GOLD' });
  kfsPath = new URL((await gold.offers())[0].kfsLink).pathname;
  // The largest loan there is: the widest figures.
  const agreed = await bench.startWithOffers({ loanAmount: 10_000_000 });
  await agreed.select();
  agreedPath = new URL((await agreed.read()).selectedOffer!.kfsLink).pathname;
});

afterAll(() => bench.close());

async function providerPath(state: string): Promise<string> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo(state);
  return new URL(await journey.providerPage()).pathname;
}

describe.each(LANGUAGES)('the statement’s page in $language, in both lights', (look) => {
  it('breaks no rule of WCAG 2.2 AA, and asks no other host for anything', async () => {
    for (const path of [kfsPath, agreedPath]) {
      const { page, goto, foreignRequests, complaints } = await visit(bench.service.baseUrl, look);
      await goto(path);
      await axeInBothLights(page);
      expect(foreignRequests).toEqual([]);
      expect(complaints).toEqual([]);
    }
  });
});

describe('the statement’s page', () => {
  it('fits a phone, also a narrow one, and with text at twice its size', async () => {
    const { page, goto } = await visit(bench.service.baseUrl);
    await goto(kfsPath);
    expect(await sidewaysOverflow(page)).toBe(0);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await sidewaysOverflow(page)).toBe(0);
    await zoomText(page, 2);
    expect(await sidewaysOverflow(page)).toBe(0);
  });

  it('shows the whole schedule at once on a phone of 360 pixels', async () => {
    const { page, goto } = await visit(bench.service.baseUrl);
    await goto(agreedPath);
    await page.locator('#annex-c summary').click();
    const schedule = page.locator('.scroll');
    const widths = await schedule.evaluate(({ scrollWidth, clientWidth }) => ({
      scrollWidth,
      clientWidth,
    }));
    expect(widths.scrollWidth).toBe(widths.clientWidth);
  });

  it('can be gone through with a keyboard, the schedule included', async () => {
    const { page, goto } = await visit(bench.service.baseUrl);
    await goto(agreedPath);
    await pressTabTo(page, 'Save as PDF');
    const fold = await page.locator('#annex-c summary').innerText();
    await pressTabTo(page, fold.replaceAll(/\s+/g, ' ').trim());
    await page.keyboard.press('Enter');
    await pressTabTo(page, 'Instalments, one a month');
    expect(await focusedName(page)).toBe('Instalments, one a month');
  });

  it('prints as a document: dark on white, without buttons and menus', async () => {
    const { page, goto } = await visit(bench.service.baseUrl, {
      colorScheme: 'dark',
      viewport: DESKTOP,
    });
    await goto(agreedPath);
    await page.emulateMedia({ media: 'print' });
    for (const name of ['Save as PDF', 'हिन्दी']) {
      expect(await page.getByText(name).isVisible()).toBe(false);
    }
    const colours = await page.evaluate<string[]>(
      `['h1', 'body'].map((name) => getComputedStyle(document.querySelector(name)))
        .map(({ color, backgroundColor }, index) => (index === 0 ? color : backgroundColor))`,
    );
    const [ink, paper] = colours;
    expect(paper).toBe('rgb(255, 255, 255)');
    expect(ink.match(/\d+/g)!.every((part) => Number(part) < 60)).toBe(true);
    for (const row of await page.locator('#annex-b tr, #annex-c tr').all()) {
      expect(await row.isVisible()).toBe(true);
    }
  });

  it('changes its language on the page, and stays the same statement', async () => {
    const { page, goto } = await visit(bench.service.baseUrl);
    await goto(agreedPath);
    const hash = await page.locator('.kfs-code').textContent();
    await page.locator('button.lang').click();
    await page.getByRole('heading', { level: 1, name: 'मुख्य तथ्य विवरण' }).waitFor();
    expect(await page.locator('.kfs-code').textContent()).toBe(hash);
    const href = await page.locator('.kfs-save a').getAttribute('href');
    expect(href).toBe(`${agreedPath}.pdf?lang=hi`);
  });

  it('weighs less than 60 KB before fonts', async () => {
    const { page } = await visit(bench.service.baseUrl);
    expect((await pageWeight(page, kfsPath)).withoutFonts).toBeLessThan(60_000);
  });
});

describe.each(LANGUAGES)('the simulated providers’ pages in $language, in both lights', (look) => {
  it('break no rule of WCAG 2.2 AA', async () => {
    for (const state of ['KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING']) {
      const path = await providerPath(state);
      const { page, goto, foreignRequests, complaints } = await visit(bench.service.baseUrl, look);
      await goto(path);
      await axeInBothLights(page);
      expect(await sidewaysOverflow(page)).toBe(0);
      expect([foreignRequests, complaints]).toEqual([[], []]);
    }
  });
});

describe('a simulated provider', () => {
  it('takes the applicant back to the partner, in a browser without JavaScript, too', async () => {
    const partner = 'https://partner.example';
    await bench.query('UPDATE partners SET return_url = $1 WHERE id = $2', [
      `${partner}/back`,
      bench.service.partnerId,
    ]);
    for (const javaScript of [true, false]) {
      const path = await providerPath('KYC_PENDING');
      const { page, context, goto, complaints } = await visit(bench.service.baseUrl, {
        javaScript,
        alsoAllowed: [partner],
      });
      await context.route(`${partner}/**`, (route) => route.fulfill({ body: 'the partner' }));
      await goto(path);
      await page.getByRole('button', { name: 'Verify my identity' }).click();
      await page.waitForURL(`${partner}/back?**`);
      expect(new URL(page.url()).searchParams.get('step')).toBe('KYC');
      expect(complaints).toEqual([]);
    }
    await bench.query('UPDATE partners SET return_url = NULL WHERE id = $1', [
      bench.service.partnerId,
    ]);
  });

  it('shows after a decision, when Back is pressed, what was decided', async () => {
    const path = await providerPath('ESIGN_PENDING');
    const { page, goto } = await visit(bench.service.baseUrl);
    await goto(path);
    await page.getByRole('button', { name: 'Do not sign' }).click();
    await page.getByRole('heading', { name: 'This step is done' }).waitFor();
    await page.goBack();
    await page.getByText('You declined this step').waitFor();
    expect(await page.getByRole('button', { name: 'Sign the agreement' }).count()).toBe(0);
    await axeCheck(page);
  });
});

/** The path of the link to the first provider, before anybody has opened it. */
async function firstLink(): Promise<string> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo('KYC_PENDING');
  return new URL(await journey.redirectUrl()).pathname;
}

async function agreeAndGoOn(page: Page): Promise<void> {
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: textOf('offers.acknowledge.button') }).click();
  await page.getByRole('heading', { name: 'Verify your identity' }).waitFor();
}

describe('the page before the first provider', () => {
  it.each(LANGUAGES)('breaks no rule of WCAG 2.2 AA in $language, in both lights', async (look) => {
    const options = { ...look, viewport: { width: 320, height: 640 } };
    const { page, goto, foreignRequests, complaints } = await visit(bench.service.baseUrl, options);
    await goto(await firstLink());
    await axeInBothLights(page);
    expect(await sidewaysOverflow(page)).toBe(0);
    await page.locator('main button').click();
    await page.waitForSelector('.error-summary, .errors');
    await axeInBothLights(page);
    await zoomText(page, 2);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect([foreignRequests, complaints]).toEqual([[], []]);
  });

  it.each([true, false])('leads there and back, with JavaScript: %s', async (javaScript) => {
    const { page, goto, complaints } = await visit(bench.service.baseUrl, { javaScript });
    await goto(await firstLink());
    await page.getByRole('link', { name: textOf('ui.kfs.read') }).click();
    await page.getByText('Nothing is agreed until you choose it').waitFor();
    await page.goBack();
    await agreeAndGoOn(page);
    // It is shown once: Back leads past it.
    await page.goBack();
    await page.getByRole('heading', { name: 'Verify your identity' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
