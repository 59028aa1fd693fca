import { expect, it } from 'vitest';
import { browserTests, pressTabTo } from '../../support/browser.js';
import { InstantLoanBench } from './instant-loan-bench.js';
import { ofFile } from '../../support/of-file.js';

const visit = browserTests();

const bench = ofFile(() => InstantLoanBench.open());

it('the pages of an instant loan lead from the link to the sanction, without JavaScript, by keyboard, and after a payment that failed', async () => {
  const loan = await bench.offered();
  const { page, goto } = await visit(bench.service.baseUrl, { javaScript: false });
  await goto(new URL(loan.redirectUrl).pathname);
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
