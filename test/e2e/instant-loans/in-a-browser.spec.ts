import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeInBothLights,
  browserTests,
  DESKTOP,
  pressTabTo,
  sidewaysOverflow,
  zoomText,
} from '../../support/browser.js';
import {
  ApplicantBrowser,
  type CreatedInstantLoan,
  openGateway,
} from '../../support/instant-loans.js';
import { InstantLoanBench } from './instant-loan-bench.js';

const visit = browserTests();

/** In pixels; two lines are taller in both languages. */
const LINE_AND_A_HALF = 30;

let bench: InstantLoanBench;
let toChoose: string;
let chosen: string;

const pathOf = ({ redirectUrl }: CreatedInstantLoan) => new URL(redirectUrl).pathname;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  toChoose = pathOf(await bench.offered());
  chosen = pathOf(await bench.apply());
});

afterAll(() => bench?.close());

describe('the pages of an instant loan', () => {
  it('have the offers side by side on a desktop, each part at one height, below each other on a phone, and no broken number at 400 %', async () => {
    const { page, goto } = await visit(bench.service.baseUrl, {
      language: 'hi',
      viewport: DESKTOP,
    });
    for (const path of [toChoose, `${chosen}/offers`]) {
      await goto(path);
      const cards = await cardsOn(page);
      expect(cards).toHaveLength(3);
      expect(new Set(cards.map(({ left }) => left)).size).toBe(3);
      for (const part of ['tops', 'actions'] as const)
        expect(new Set(cards.map((card) => card[part].join())).size).toBe(1);
      expect(await sidewaysOverflow(page)).toBe(0);
    }
    await page.setViewportSize({ width: 320, height: 256 });
    const numbers = await boxesOf(page.locator('.reg .number'));
    expect(numbers).toHaveLength(3);
    for (const { height } of numbers) expect(height).toBeLessThan(LINE_AND_A_HALF);
    expect(new Set((await cardsOn(page)).map(({ left }) => left)).size).toBe(1);
    // The payment is beside the figures.
    await page.setViewportSize(DESKTOP);
    await goto(chosen);
    const fee = (await page.locator('.two > .stack').boundingBox())!;
    const button = (await page.locator('form:has(#hasRead) button').last().boundingBox())!;
    expect(button.x).toBeGreaterThan(fee.x + fee.width);
    expect(button.y).toBeLessThan(fee.y + fee.height);
  });

  it('lead to a page of the sandbox’s gateway that is accessible and fits a narrow screen, with large text too', async () => {
    const { page, goto, complaints } = await visit(bench.service.baseUrl, {
      language: 'hi',
      viewport: { width: 320, height: 600 },
    });
    const gateway = await openGateway(new ApplicantBrowser(), `${bench.service.baseUrl}${chosen}`);
    await goto(new URL(gateway).pathname);
    await axeInBothLights(page);
    await zoomText(page, 2);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('lead from the link to the sanction, without JavaScript, by keyboard, and after a payment that failed', async () => {
    const loan = await bench.offered();
    const { page, goto } = await visit(bench.service.baseUrl, { javaScript: false });
    await goto(pathOf(loan));
    const lender = await page.locator('.offer h2').last().innerText();
    await pressTabTo(page, `Choose ${lender}`);
    await page.keyboard.press('Enter');
    const pay = page.getByRole('button', { name: /Agree and pay/ });
    await pay.click();
    await page.getByRole('link', { name: 'Read the Key Facts Statement, then tick' }).waitFor();
    expect(await page.locator('.two h2').first().innerText()).toBe(lender);
    await pressTabTo(page, (await page.locator('label:has(#hasRead)').textContent()) ?? '');
    await page.keyboard.press('Space');
    await pressTabTo(page, (await pay.textContent()) ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sandbox/payment/**');
    await page.getByRole('button', { name: /fail/i }).click();
    await page.getByRole('heading', { name: 'The payment did not go through' }).waitFor();
    const again = page.getByRole('button', { name: /^Pay ₹/ });
    await pressTabTo(page, (await again.textContent()) ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sandbox/payment/**');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.waitForURL('**/done');
    await page.getByRole('heading', { name: /loan is approved/ }).waitFor();
    expect(await bench.status(loan.applicationId)).toBe('SANCTIONED');
  });
});

/** The place of each card of a comparison, the tops of its parts, and its buttons' place and size. */
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
