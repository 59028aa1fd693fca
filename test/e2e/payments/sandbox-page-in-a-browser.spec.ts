import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  axeCheck,
  axeInBothLights,
  browserTests,
  sidewaysOverflow,
  zoomText,
} from '../../support/browser.js';
import { inForm } from '../../support/long-form.js';
import { type PaymentBench, startSandboxBench } from './payment-bench.js';

const NARROW = { width: 320, height: 600 };

const visit = browserTests();
let bench: PaymentBench;

beforeAll(async () => {
  bench = await startSandboxBench();
});

afterAll(() => bench?.close());

/** A fresh order, and the path of its page. */
async function orderedPage(): Promise<{ id: string; path: string }> {
  const id = await bench.order({ returnUrl: `${bench.service.baseUrl}/returned` });
  const { url } = await bench.desk.open(id);
  return { id, path: new URL(url).pathname };
}

it.each(inForm({ short: ['hi'] as const, long: ['en', 'hi'] as const }))(
  'is accessible in both lights in %s, and fits a narrow screen, with large text too',
  async (language) => {
    const { path } = await orderedPage();
    const { page, goto, foreignRequests, complaints } = await visit(bench.service.baseUrl, {
      language,
      viewport: NARROW,
    });
    await goto(path);
    expect(await sidewaysOverflow(page)).toBe(0);
    await axeInBothLights(page);
    expect(foreignRequests).toEqual([]);
    expect(complaints).toEqual([]);
    await zoomText(page, 2);
    expect(await sidewaysOverflow(page)).toBe(0);
  },
);

it.each([true, false])('takes a payment (JavaScript: %s)', async (javaScript) => {
  const { id, path } = await orderedPage();
  const { page, goto } = await visit(bench.service.baseUrl, { javaScript });
  await goto(path);
  await page.getByText('Net banking', { exact: true }).click();
  await page.getByRole('button', { name: 'Pay ₹1,179' }).click();
  await page.waitForURL('**/returned');
  await bench.untilStatus(id, 'PAID');
  const [payment] = await bench.records.query('SELECT method FROM payments WHERE order_id = $1', [
    id,
  ]);
  expect(payment).toEqual({ method: 'netbanking' });
  await goto(path);
  await page.getByText('This payment was made').waitFor();
});

it('shows a failed payment, and the way back', async () => {
  const { id, path } = await orderedPage();
  const { page, goto } = await visit(bench.service.baseUrl);
  await goto(path);
  await page.getByRole('button', { name: 'Have the payment fail' }).click();
  await page.waitForURL('**/returned');
  await bench.untilStatus(id, 'FAILED');
  await goto(path);
  await axeCheck(page);
  await page.getByRole('link', { name: 'Go back to your loan' }).click();
  await page.waitForURL('**/returned');
  expect(await bench.records.notices(id)).toEqual(['FAILED']);
});
