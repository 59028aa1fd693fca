import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import { axeCheck, browserTests, DESKTOP, focusedName, pressTabTo } from '../../support/browser.js';
import { JourneyBench } from '../journeys/journey-bench.js';

const visit = browserTests();

const textOf = (key: string) => translate('en', key);

let bench: JourneyBench;
let agreedPath: string;

beforeAll(async () => {
  bench = await JourneyBench.open();
  // The largest loan there is: the widest figures.
  const agreed = await bench.startWithOffers({ loanAmount: 10_000_000 });
  await agreed.select();
  agreedPath = new URL((await agreed.read()).selectedOffer!.kfsLink).pathname;
});

afterAll(() => bench.close());

function setReturnUrl(url: string | null) {
  return bench.query('UPDATE partners SET return_url = $1 WHERE id = $2', [
    url,
    bench.service.partnerId,
  ]);
}

describe('the statement’s page', () => {
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
});

describe('a simulated provider', () => {
  it('shows after a decision, when Back is pressed, what was decided', async () => {
    await setReturnUrl(null);
    const journey = await bench.startWithOffers();
    await journey.goOnTo('ESIGN_PENDING');
    const path = new URL(await journey.providerPage()).pathname;
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

describe('the page before the first provider', () => {
  it.each([true, false])(
    'leads there and back, and on to the partner, with JavaScript: %s',
    async (javaScript) => {
      const partner = 'https://partner.example';
      await setReturnUrl(`${partner}/back`);
      const journey = await bench.startWithOffers();
      await journey.goOnTo('KYC_PENDING');
      const { page, context, goto, complaints } = await visit(bench.service.baseUrl, {
        javaScript,
        alsoAllowed: [partner],
      });
      await context.route(`${partner}/**`, (route) => route.fulfill({ body: 'the partner' }));
      await goto(new URL(await journey.redirectUrl()).pathname);
      await page.getByRole('link', { name: textOf('ui.kfs.read') }).click();
      await page.getByText('Nothing is agreed until you choose it').waitFor();
      await page.goBack();
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: textOf('offers.acknowledge.button') }).click();
      const approve = page.getByRole('button', { name: 'Verify my identity' });
      await approve.waitFor();
      // It is shown once: Back leads past it.
      await page.goBack();
      await approve.click();
      await page.waitForURL(`${partner}/back?**`);
      expect(new URL(page.url()).searchParams.get('step')).toBe('KYC');
      expect(complaints).toEqual([]);
    },
  );
});
