import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDateTime } from '../../../src/platform/index.js';
import { ApplicantBrowser } from '../../support/instant-loans.js';
import { InstantLoanBench } from './instant-loan-bench.js';

let bench: InstantLoanBench;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
});

afterAll(() => bench?.close());

describe('the stand-in for a gateway’s page', () => {
  it.each([
    ['en', 'You are on the page of', 'Fee to Kaverisetu', 'can be finished until then'],
    ['hi', 'के पेज पर हैं', 'का शुल्क', 'तब तक पूरा किया जा सकता है'],
  ] as const)('has the name that was announced, and the page’s words: %s', async (...said) => {
    const [language, on, purpose, until] = said;
    const loan = await bench.apply();
    const browser = new ApplicantBrowser(language);
    const announced = await browser.open(loan.redirectUrl);
    expect(announced.text).toContain('<strong>Sandbox Gateway</strong>');
    await bench.atGateway(loan, 'leave');
    const { payment_order_id: orderId, expires_at: end } = await bench.row(loan.applicationId);
    const pressed = await browser.press(loan.redirectUrl);
    const [, url = ''] = /content="0; url=([^"]+)"/.exec(pressed.text) ?? [];
    const { text } = await browser.open(pressed.location || url.replaceAll('&amp;', '&'));
    for (const words of ['<strong>Sandbox Gateway</strong>', on, purpose, until, orderId])
      expect(text).toContain(words);
    expect(text).toContain(formatDateTime(language, end));
    expect(text.includes('Fee to')).toBe(language === 'en');
  });
});
