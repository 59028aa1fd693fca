import { afterAll, beforeAll, expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import { browserTests, focusedName, pressTabTo } from '../../support/browser.js';
import { JourneyBench } from '../journeys/journey-bench.js';

const PARTNER = 'https://partner.example';

const visit = browserTests();

const textOf = (key: string) => translate('en', key);

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.query('UPDATE partners SET return_url = $1 WHERE id = $2', [
    `${PARTNER}/back`,
    bench.service.partnerId,
  ]);
});

afterAll(() => bench.close());

it('the statement’s page is gone through with a keyboard, shows the whole schedule on a phone, changes its language, and prints as a document', async () => {
  // The largest possible loan: the widest figures.
  const agreed = await bench.startWithOffers({ loanAmount: 10_000_000 });
  await agreed.select();
  const path = new URL((await agreed.read()).selectedOffer!.kfsLink).pathname;
  const { page, goto } = await visit(bench.service.baseUrl);
  await goto(path);
  await pressTabTo(page, 'Save as PDF');
  const fold = await page.locator('#annex-c summary').innerText();
  await pressTabTo(page, fold.replaceAll(/\s+/g, ' ').trim());
  await page.keyboard.press('Enter');
  await pressTabTo(page, 'Instalments, one a month');
  expect(await focusedName(page)).toBe('Instalments, one a month');
  const hidden = await page
    .locator('.scroll')
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(hidden).toBe(0);

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const name of ['Save as PDF', 'हिन्दी']) {
    expect(await page.getByText(name).isVisible()).toBe(false);
  }
  const [ink, paper] = await page.evaluate<string[]>(
    `[getComputedStyle(document.querySelector('h1')).color, getComputedStyle(document.body).backgroundColor]`,
  );
  expect(paper).toBe('rgb(255, 255, 255)');
  expect(ink.match(/\d+/g)!.every((part) => Number(part) < 60)).toBe(true);
  const unseen = await page.evaluate<number>(
    `[...document.querySelectorAll('#annex-b tr, #annex-c tr')].filter((row) => row.getClientRects().length === 0).length`,
  );
  expect(unseen).toBe(0);
  await page.emulateMedia({ media: null, colorScheme: 'light' });

  const hash = await page.locator('.kfs-code').textContent();
  await page.locator('button.lang').click();
  await page.getByRole('heading', { level: 1, name: 'मुख्य तथ्य विवरण' }).waitFor();
  expect(await page.locator('.kfs-code').textContent()).toBe(hash);
  expect(await page.locator('.kfs-save a').getAttribute('href')).toBe(`${path}.pdf?lang=hi`);
});

it('the page before the first provider leads there and back, and on to the partner; Back shows what was decided', async () => {
  const journey = await bench.startWithOffers();
  await journey.goOnTo('KYC_PENDING');
  const { page, context, goto, complaints } = await visit(bench.service.baseUrl, {
    alsoAllowed: [PARTNER],
  });
  await context.route(`${PARTNER}/**`, (route) => route.fulfill({ body: 'the partner' }));
  await goto(new URL(await journey.redirectUrl()).pathname);
  await page.getByRole('link', { name: textOf('ui.kfs.read') }).click();
  await page.getByText('Nothing is agreed until you choose it').waitFor();
  await page.goBack();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: textOf('offers.acknowledge.button') }).click();
  const approve = page.getByRole('button', { name: 'Verify my identity' });
  await approve.waitFor();
  // It is shown once: going back skips it.
  await page.goBack();
  await approve.click();
  await page.waitForURL(`${PARTNER}/back?**`);
  expect(new URL(page.url()).searchParams.get('step')).toBe('KYC');
  await page.goBack();
  await page.getByText('You approved this step').waitFor();
  expect(await approve.count()).toBe(0);
  expect(complaints).toEqual([]);
});
