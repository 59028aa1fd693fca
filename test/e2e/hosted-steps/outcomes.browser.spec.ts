import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { translate } from '../../../src/platform/index.js';
import { browserTests } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { PhoneApplicant } from './phone-applicant.js';
import { StepJourney, WAIT } from './step-journey.js';

const visit = browserTests();

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

/** An applicant with a phone at a journey that was driven to a state without it. */
async function arrived(pan: string, state?: string) {
  const journey = state
    ? await StepJourney.at(state, service, { pan })
    : await StepJourney.begin(service, { pan });
  const phone = await visit(service.baseUrl);
  const applicant = new PhoneApplicant(service, phone);
  await applicant.resume(journey);
  return { journey, applicant, page: phone.page, phone };
}

function headingOf(page: Page): Promise<string> {
  return page.locator('h1').innerText();
}

describe('what the sandbox plays on reserved PANs, as the applicant sees it', () => {
  it('0001: every lender declines', async () => {
    const { applicant, page } = await arrived('SANDX0001A');
    await applicant.goOnTo('/hosted/rejected');
    expect(await headingOf(page)).toBe('No offer this time');
    await page.getByText(translate('en', 'entry.owed.nothing')).waitFor();
  });

  it('0002: lenders take long and one never answers: it is named on the offers', async () => {
    const { journey, applicant, page } = await arrived('SANDX0002A');
    expect(applicant.path()).toBe('/hosted/waiting');
    await eventually(async () => {
      expect((await journey.view()).offers.length).toBeGreaterThanOrEqual(2);
    }, WAIT);
    // The lenders' deadline.
    await service.travel(121_000);
    await applicant.goOnTo('/hosted/offers');
    await page.locator('.without', { hasText: translate('en', 'offers.without.silent') }).waitFor();
  });

  it('0003: exactly one offer: the lenders without one are named', async () => {
    const { applicant, page } = await arrived('SANDX0003A');
    await applicant.goOnTo('/hosted/offers');
    expect(await headingOf(page)).toBe('One offer for ₹2,00,000');
    const without = page.locator('.without', {
      hasText: translate('en', 'offers.without.declined'),
    });
    expect(await without.count()).toBe(2);
  });

  it('0004: KYC fails once, is tried again and passes', async () => {
    const { applicant } = await arrived('SANDX0004A', 'KYC_PENDING');
    await applicant.goOnTo('/hosted/bank-account');
    const kyc = applicant.passed.filter((path) => path === '/hosted/kyc');
    expect(kyc).toHaveLength(2);
  });

  it('0005: KYC fails for good', async () => {
    const { applicant, page } = await arrived('SANDX0005A', 'KYC_PENDING');
    await applicant.goOnTo('/hosted/rejected');
    expect(await headingOf(page)).toBe('Your identity could not be confirmed');
  });

  it('0006: the mandate fails once, is tried again and passes', async () => {
    const { applicant } = await arrived('SANDX0006A', 'MANDATE_PENDING');
    await applicant.goOnTo('/hosted/esign');
    expect(applicant.passed.filter((path) => path === '/hosted/mandate')).toHaveLength(2);
  });

  it('0007: the signature is declined for good', async () => {
    const { applicant, page } = await arrived('SANDX0007A', 'ESIGN_PENDING');
    await applicant.goOnTo('/hosted/rejected');
    expect(await headingOf(page)).toBe('The agreement was not signed');
  });

  it('0008: the payout takes its time, and the page goes on by itself', async () => {
    const { applicant, page } = await arrived('SANDX0008A', 'DISBURSEMENT_PENDING');
    await applicant.goOnTo('/hosted/disbursement');
    expect(await headingOf(page)).toBe('Your money is on its way');
    await service.travel(31_000);
    await applicant.goOnTo('/hosted/done');
  });

  it('0009: lenders fail twice, then offer', async () => {
    const { applicant, page } = await arrived('SANDX0009A');
    await applicant.goOnTo('/hosted/offers');
    expect(await headingOf(page)).toMatch(/offers for ₹/);
  });
});

describe('on the way back from a provider', () => {
  it('left with nothing done, the page waits for nobody, and leads to the provider again', async () => {
    const { page } = await arrived('ABCDE1234F', 'KYC_PENDING');
    await page.getByRole('link', { name: 'Go to the identity check' }).click();
    await page.click('button[value="leave"]');
    await page.waitForURL('**/hosted/kyc');
    const again = page.getByRole('link', { name: 'Go to the identity check', exact: true });
    await again.waitFor();
    expect(await page.locator('#live').count()).toBe(0);
    await again.click();
    await page.click('button[value="approve"]');
    await page.waitForURL('**/hosted/bank-account');
    expect(await headingOf(page)).toBe('Where should the money go?');
  });

  it('Back repeats nothing: an earlier form leads to where the journey is', async () => {
    const { journey, applicant, page } = await arrived('ABCDE1234F', 'BANK_ACCOUNT_PENDING');
    await applicant.goOnTo('/hosted/mandate');
    const before = await journey.view();
    await page.goBack();
    await page.waitForURL('**/hosted/mandate');
    const after = await journey.view();
    expect([after.state, after.redirect?.url]).toEqual([before.state, before.redirect?.url]);
  });

  it('an offer that ran out while it was looked at is explained, and another one chosen', async () => {
    const { journey, applicant, page } = await arrived('ABCDE1234F');
    await applicant.goOnTo('/hosted/offers');
    await page.locator('a.btn:not(.btn-2):visible').first().click();
    await page.waitForURL('**/confirm?amount=*');
    const { offers } = await journey.view();
    await journey.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
      [offers[0].offerId],
    );
    await page.check('#hasRead');
    await page.getByRole('button', { name: 'Choose this loan' }).click();
    await page.getByText('That offer has expired or was withdrawn.').waitFor();
    await applicant.goOnTo('/hosted/kyc');
    expect((await journey.view()).selected?.offer.offerId).toBe(offers[1].offerId);
  });
});
