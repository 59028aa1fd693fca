import { get } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeColourCheck,
  axeInBothLights,
  browserTests,
  DESKTOP,
  pageWeight,
  pressTabTo,
  sidewaysOverflow,
  zoomText,
} from '../../support/browser.js';
import type { CreatedInstantLoan } from '../../support/instant-loans.js';
import { eventually } from '../../support/eventually.js';
import { HOUR, InstantLoanBench } from './instant-loan-bench.js';

const visit = browserTests();

const LANGUAGES = [{ language: 'en' }, { language: 'hi' }] as const;

/** In pixels; two lines are taller in either language. */
const LINE_AND_A_HALF = 30;

let bench: InstantLoanBench;
/** The path of each page, by its stage. */
const places: Record<string, string> = {};

const pathOf = ({ redirectUrl }: CreatedInstantLoan) => new URL(redirectUrl).pathname;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  const expired = await bench.apply();
  await bench.service.travel(73 * HOUR);
  await bench.reaches(expired.applicationId, 'EXPIRED');
  places.expired = `${pathOf(expired)}/done`;
  const fresh = await bench.order();
  places.toPay = pathOf(fresh);
  places.checking = `${pathOf(fresh)}/done`;
  places.toChoose = pathOf(await bench.offered());
  places.chosen = pathOf(await bench.apply());
  places.compared = `${places.chosen}/offers`;
  const offerless = await bench.create({ pan: 'SANDX0001A' });
  await bench.reaches(offerless.applicationId, 'REJECTED');
  places.noOffer = `${pathOf(offerless)}/done`;
  const failed = await bench.apply();
  await bench.atGateway(failed, 'fail');
  await bench.reaches(failed.applicationId, 'PAYMENT_FAILED');
  places.toPayAgain = pathOf(failed);
  places.failed = `${pathOf(failed)}/done`;
  for (const [pan, status, name] of [
    ['SANDX0013A', 'REJECTED', 'rejected'],
    ['ABCDE1234F', 'SANCTIONED', 'sanctioned'],
  ] as const) {
    const loan = await bench.apply({ pan });
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, status);
    places[name] = `${pathOf(loan)}/done`;
  }
  const slow = await bench.applySlowly();
  await bench.atGateway(slow, 'pay');
  await bench.reaches(slow.applicationId, 'PAYMENT_RECEIVED');
  places.underDecision = `${pathOf(slow)}/done`;
  const unanswered = await bench.create({ pan: 'SANDX0002B' });
  places.offers = pathOf(unanswered);
  // No journey moves on while a browser looks at it.
  await eventually(async () => {
    const asking = await bench.records.query(
      `SELECT 1 FROM lender_questions
       WHERE status = 'OPEN' AND (attempts = 0 OR lease_until IS NOT NULL)`,
    );
    expect(asking).toEqual([]);
  });
  await bench.records.query(
    `UPDATE lender_questions SET next_attempt_at = app_now() + interval '1 day' WHERE status = 'OPEN'`,
  );
  await bench.records.query(
    `UPDATE journeys SET offers_due_at = app_now() + interval '1 day',
       offers_given_up_at = app_now() + interval '1 day' WHERE id = $1`,
    [unanswered.journeyId],
  );
}, 120_000);

afterAll(() => bench?.close());

describe.each(LANGUAGES)('the pages of an instant loan in $language, in both lights', (look) => {
  it('break no rule of WCAG 2.2 AA, fit a phone and ask no other host for anything', async () => {
    const { page, goto, foreignRequests, complaints } = await visit(bench.service.baseUrl, look);
    for (const path of Object.values(places)) {
      await goto(path);
      await axeInBothLights(page);
      expect([path, await sidewaysOverflow(page)]).toEqual([path, 0]);
    }
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('the pages of an instant loan', () => {
  it('fit a narrow phone with text at twice its size', async () => {
    const { page, goto } = await visit(bench.service.baseUrl);
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of [places.toChoose, places.toPay]) {
      await goto(path);
      expect(await sidewaysOverflow(page)).toBe(0);
      await zoomText(page, 2);
      expect(await sidewaysOverflow(page)).toBe(0);
    }
  });

  it('are read in forced colours, and with the window at 400 %', async () => {
    const { page, goto } = await visit(bench.service.baseUrl);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.setViewportSize({ width: 320, height: 256 });
    for (const path of Object.values(places)) {
      await goto(path);
      await axeColourCheck(page);
      expect(await sidewaysOverflow(page)).toBe(0);
    }
  });

  it.each(['en', 'hi'] as const)(
    'have the offers side by side on a desktop, each part at one height: %s',
    async (language) => {
      const { page, goto } = await visit(bench.service.baseUrl, { language, viewport: DESKTOP });
      for (const path of [places.toChoose, places.compared]) {
        await goto(path);
        const cards = await cardsOn(page);
        expect(cards).toHaveLength(3);
        expect(new Set(cards.map(({ left }) => left)).size).toBe(3);
        for (const part of ['tops', 'actions'] as const)
          expect(new Set(cards.map((card) => card[part].join())).size).toBe(1);
        expect(await sidewaysOverflow(page)).toBe(0);
      }
    },
  );

  it('have one offer below the other on a phone', async () => {
    const { page, goto } = await visit(bench.service.baseUrl);
    await goto(places.toChoose);
    const cards = await cardsOn(page);
    expect(new Set(cards.map(({ left }) => left)).size).toBe(1);
  });

  it('have the payment beside what it is for on a desktop', async () => {
    const { page, goto } = await visit(bench.service.baseUrl, { viewport: DESKTOP });
    await goto(places.chosen);
    const fee = (await page.locator('.two > .stack').boundingBox())!;
    const button = (await page.getByRole('button', { name: /Agree and pay/ }).boundingBox())!;
    expect(button.x).toBeGreaterThan(fee.x + fee.width);
    expect(button.y).toBeLessThan(fee.y + fee.height);
  });

  it.each(['en', 'hi'] as const)('break no number of a lender at 400 %: %s', async (language) => {
    const viewport = { width: 320, height: 256 };
    const { page, goto } = await visit(bench.service.baseUrl, { language, viewport });
    await goto(places.compared);
    const numbers = await boxesOf(page.locator('.reg .number'));
    expect(numbers).toHaveLength(3);
    for (const { height } of numbers) expect(height).toBeLessThan(LINE_AND_A_HALF);
  });

  it('have less than 10 KB of HTML each, compressed as they are sent', async () => {
    for (const path of Object.values(places)) {
      for (const language of ['en', 'hi']) {
        expect(await sentBytes(`${bench.service.baseUrl}${path}`, language)).toBeLessThan(10_000);
      }
    }
  });

  it('are light enough for a slow line', async () => {
    const { page } = await visit(bench.service.baseUrl);
    for (const path of [places.toChoose, places.toPay]) {
      expect((await pageWeight(page, path)).withoutFonts).toBeLessThan(60_000);
    }
  });

  it.each([true, false])(
    'lead from the link to the sanction, JavaScript: %s',
    async (javaScript) => {
      const loan = await bench.create();
      const { page, goto } = await visit(bench.service.baseUrl, { javaScript });
      await goto(pathOf(loan));
      await page
        .getByRole('button', { name: /^Choose/ })
        .first()
        .click();
      await page.getByRole('button', { name: /Agree and pay/ }).click();
      await page.getByRole('link', { name: 'Read the Key Facts Statement, then tick' }).waitFor();
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: /Agree and pay/ }).click();
      await page.waitForURL('**/sandbox/payment/**');
      await page.getByRole('button', { name: /^Pay/ }).click();
      await page.waitForURL('**/done');
      await page.getByRole('heading', { name: /loan is approved/ }).waitFor();
      expect(await bench.status(loan.applicationId)).toBe('SANCTIONED');
    },
  );

  it.each([true, false])(
    'let an offer be chosen and paid for by keyboard, after a payment that failed, JavaScript: %s',
    async (javaScript) => {
      const loan = await bench.offered();
      const { page, goto } = await visit(bench.service.baseUrl, { javaScript });
      await goto(pathOf(loan));
      const lender = await page.locator('.offer h2').last().innerText();
      await pressTabTo(page, `Choose ${lender}`);
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox').waitFor();
      expect(await page.locator('.two h2').first().innerText()).toBe(lender);
      const button = await page.getByRole('button', { name: /Agree and pay/ }).textContent();
      await pressTabTo(page, (await page.locator('label:has(#hasRead)').textContent()) ?? '');
      await page.keyboard.press('Space');
      await pressTabTo(page, button ?? '');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sandbox/payment/**');
      await page.getByRole('button', { name: /fail/i }).click();
      await page.getByRole('heading', { name: 'The payment did not go through' }).waitFor();
      const again = page.getByRole('button', { name: /^Pay ₹/ });
      await pressTabTo(page, (await again.textContent()) ?? '');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sandbox/payment/**');
      await page.getByRole('button', { name: /^Pay/ }).click();
      await page.getByRole('heading', { name: /loan is approved/ }).waitFor();
      expect(await bench.status(loan.applicationId)).toBe('SANCTIONED');
    },
  );
});

/** Where each card of a comparison begins, the tops of its parts, and its buttons' place and size. */
async function cardsOn(page: Page) {
  const cards = await page.locator('.offer').all();
  return Promise.all(
    cards.map(async (card) => {
      const [{ x }] = await boxesOf(card);
      const rows = await boxesOf(card.locator('> *'));
      const [{ y, width, height }] = await boxesOf(card.locator('.offer-actions'));
      return {
        left: Math.round(x),
        tops: rows.map((row) => Math.round(row.y)),
        actions: [y, width, height].map(Math.round),
      };
    }),
  );
}

async function boxesOf(elements: Locator) {
  const boxes = await Promise.all((await elements.all()).map((one) => one.boundingBox()));
  return boxes.flatMap((box) => box ?? []);
}

/** The bytes of a page as it travels. */
function sentBytes(url: string, language: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip', 'accept-language': language };
    get(url, { headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => (bytes += part.length));
      answer.on('end', () => resolve(bytes));
      answer.on('error', reject);
    }).on('error', reject);
  });
}
