import { expect, it } from 'vitest';
import { browserTests, focusedName, pressTabTo } from '../../support/browser.js';
import { journeyBench } from '../journeys/journey-bench.js';

const visit = browserTests();

const bench = journeyBench();

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
