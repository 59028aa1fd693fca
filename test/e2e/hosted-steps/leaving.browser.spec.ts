import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { shortName } from '../../../src/applicant-web/short-names.js';
import { translate } from '../../../src/platform/index.js';
import { browserTests, pressTabTo, sidewaysOverflow } from '../../support/browser.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { trailOf } from './leaving-bench.js';
import { expectQuiet, PhoneApplicant } from './phone-applicant.js';
import { StepJourney } from './step-journey.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const visit = browserTests();

const NARROW = { width: 320, height: 640 };

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

async function outcomeOf(journey: StepJourney): Promise<string> {
  return (await partnerClient(service).journey(journey.start.id)).json.data.outcome;
}

/** From a step's page to another offer, by links, boxes and buttons. */
async function changeOffer(page: Page): Promise<void> {
  await page.locator('main a[href="/hosted/offers"]').click();
  await page.waitForURL('**/hosted/offers');
  expect(await sidewaysOverflow(page)).toBe(0);
  await page.locator('main a.btn:not(.btn-2):visible').first().click();
  await page.waitForURL('**/confirm?**');
  await page.check('#hasRead');
  await page.locator('main .btn:not(.btn-2):visible').first().click();
  await page.waitForURL((url) => !url.pathname.includes('/offers'));
}

describe('another offer on a phone', () => {
  it.each([
    ['before KYC, without JavaScript', 'KYC_PENDING', { javaScript: false }],
    ['after KYC, in Hindi', 'BANK_ACCOUNT_PENDING', { language: 'hi' }],
    ['after the account, on a narrow one', 'MANDATE_PENDING', { viewport: NARROW }],
    ['before the signature', 'ESIGN_PENDING', {}],
  ] as const)('%s, and on to the money', async (_, state, options) => {
    const journey = await StepJourney.at(state, service);
    const before = (await journey.view()).selected!.offer.offerId;
    const phone = await visit(service.baseUrl, options);
    const applicant = new PhoneApplicant(service, phone);
    await applicant.resume(journey);
    await changeOffer(phone.page);
    expect(applicant.path()).toBe('/hosted/kyc');
    expect((await journey.view()).selected!.offer.offerId).not.toBe(before);
    await journey.driveTo('SANCTIONED');
    expect((await trailOf(journey)).filter((one) => one === 'OFFER_LET_GO')).toHaveLength(1);
    expectQuiet(phone);
  });

  it('by keyboard alone, and back to the chosen one without losing it', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const { selected } = await journey.view();
    const phone = await visit(service.baseUrl);
    const { page } = phone;
    await new PhoneApplicant(service, phone).resume(journey);
    await pressTabTo(page, 'Choose another offer');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/hosted/offers');
    await pressTabTo(page, `Stay with ${shortName(selected!.offer)}`);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/hosted/kyc');
    expect((await journey.view()).selected!.offer.offerId).toBe(selected!.offer.offerId);
    expectQuiet(phone);
  });

  it('is not to be had after signing', async () => {
    // The payout takes half a minute.
    const journey = await StepJourney.at('DISBURSEMENT_PENDING', service, { pan: 'SANDX0008A' });
    const phone = await visit(service.baseUrl);
    await new PhoneApplicant(service, phone).resume(journey);
    const { page } = phone;
    expect(await page.locator('a[href="/hosted/offers"], a[href="/hosted/stop"]').count()).toBe(0);
    await phone.goto('/hosted/offers');
    expect(new URL(page.url()).pathname).toMatch(/^\/hosted\/(disbursement|done)$/);
  });

  it('chosen on one phone is where the other one goes on', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const [one, other] = [await visit(service.baseUrl), await visit(service.baseUrl)];
    const [first, second] = [new PhoneApplicant(service, one), new PhoneApplicant(service, other)];
    await first.resume(journey);
    await second.resume(journey);
    // The second stands at the provider of the earlier lender when the first chooses another offer.
    await other.page.locator('main .btn:not(.btn-2)').first().click();
    await other.page.waitForURL('**/sandbox/provider/**');
    await changeOffer(one.page);
    const { stamp } = await journey.view();
    await second.goOnTo('/hosted/kyc');
    expect(await journey.view()).toMatchObject({ state: 'KYC_PENDING', stamp });
    await journey.driveTo('SANCTIONED');
  });
});

describe('stopping on a phone', () => {
  it.each([
    ['in English, by keyboard alone', 'en'],
    ['in Hindi, without JavaScript', 'hi'],
  ] as const)('%s', async (_, language) => {
    const link = translate(language, 'ui.foot.stop');
    const button = translate(language, 'entry.stop.button');
    const journey = await StepJourney.at('KYC_PENDING', service);
    const phone = await visit(service.baseUrl, { language, javaScript: language === 'en' });
    const { page } = phone;
    await new PhoneApplicant(service, phone).resume(journey);
    if (language === 'en') {
      await pressTabTo(page, link);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/hosted/stop');
      await pressTabTo(page, button);
      await page.keyboard.press('Enter');
    } else {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.waitForURL('**/hosted/stop');
      await page.getByRole('button', { name: button, exact: true }).click();
    }
    await page.waitForURL('**/hosted/abandoned');
    expect(await outcomeOf(journey)).toBe('ABANDONED');
  });
});
