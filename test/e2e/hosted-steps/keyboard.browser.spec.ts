import { expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import { browserTests, DESKTOP, focusedName, pressTabTo } from '../../support/browser.js';
import { codeFor, startHosted } from '../../support/hosted-client.js';
import { partnerClient } from '../../support/partner-client.js';
import { sharedService } from '../../support/shared-service.js';

const visit = browserTests();

it('with a keyboard alone, from the link to the money; Back repeats nothing: it leads on to where the journey is', async () => {
  const service = await sharedService();
  const start = await startHosted(service);
  const { page } = await visit(service.baseUrl, { viewport: DESKTOP });
  const press = async (name: string, path: string) => {
    await pressTabTo(page, name);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.startsWith(path) || url.pathname.endsWith(path));
  };
  const tick = async (name: string) => {
    await pressTabTo(page, name);
    await page.keyboard.press('Space');
  };
  const type = async (label: string, text: string) => {
    await pressTabTo(page, label);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  await page.goto(start.link);
  await press('Send me the code', '/hosted/code');
  await pressTabTo(page, translate('en', 'entry.code.label'));
  await page.keyboard.type('000');
  await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
  // The error has the focus, and links to its field.
  await page.waitForFunction(`document.activeElement?.matches('.errors')`);
  await pressTabTo(page, 'Enter all 6 digits');
  await page.keyboard.press('Enter');
  await expect.poll(() => focusedName(page)).toBe(translate('en', 'entry.code.label'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type(await codeFor(service, start.mobile));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/hosted/consent');
  await tick('I have read this and I agree.');
  await press('Continue', '/hosted/check');
  await press('Get my offers', '/hosted/offers');
  await press('Choose Navdhara Capital Limited', '/confirm');
  await press('Change the loan amount', '/hosted/offers/off_');
  const figures = page.locator('#loan-figures');
  await figures.getByText('₹6,594').waitFor();
  await type('Loan amount', '150000');
  await figures.getByText('₹4,946').waitFor();
  await page.locator('#loan-figures:not([data-stale])').waitFor();
  await press('Use this amount', '/confirm');
  await tick('I have read the KFS and want this loan from Navdhara Capital Limited.');
  await press('Choose this loan', '/hosted/kyc');
  await press('Go to the identity check', '/sandbox/provider/');
  await press('Verify my identity', '/hosted/bank-account');
  await tick('Savings');
  await type('Account number', '123456789012');
  await type('Account number again', '123456789012');
  await type('IFSC', 'HDFC0001234');
  await page.getByText('HDFC Bank').waitFor();
  await press('Yes, continue', '/hosted/mandate');
  await press('Set up Autopay', '/sandbox/provider/');
  await press('Allow the collection', '/hosted/esign');
  await press('Read and sign', '/sandbox/provider/');
  await press('Sign the agreement', '/hosted/done');
  const { json } = await partnerClient(service).journey(start.id);
  expect(json.data.outcome).toBe('SANCTIONED');

  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  for (let times = 0; times < 4; times += 1) await page.goBack().catch(() => null);
  expect(sent).toEqual([]);
  await page.goto('/hosted');
  expect(new URL(page.url()).pathname).toBe('/hosted/done');
});
