import { beforeAll, describe, expect, it } from 'vitest';
import { shortName } from '../../../src/applicant-web/offers/offer-card.js';
import { translate } from '../../../src/platform/index.js';
import {
  browserTests,
  DESKTOP,
  pressTabTo,
  type VisitOptions,
  weighedPages,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { HostedClient, linkFor, newMobile, startHosted } from '../../support/hosted-client.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { expectQuiet, PhoneApplicant } from './phone-applicant.js';
import { StepJourney, WAIT } from './step-journey.js';

/** All that the first page needs, fonts and style included, and what each later one may still fetch. */
const FIRST_BYTES = 100_000;
const LATER_BYTES = 10_000;

const visit = browserTests();

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

/** An applicant's browser at the page of a journey. */
async function arrivedAt(journey: StepJourney, options: VisitOptions = {}) {
  const phone = await visit(service.baseUrl, options);
  const applicant = new PhoneApplicant(service, phone);
  await applicant.resume(journey);
  return { applicant, phone, page: phone.page };
}

async function outcomeOf(journeyId: string): Promise<string> {
  return (await partnerClient(service).journey(journeyId)).json.data.outcome;
}

describe('on a phone, from the link to the money', () => {
  it('ONLINE_GOLD in Hindi, at most 100 KB for the first page and 10 KB for each further one', async () => {
    const start = await startHosted(service, { productCode: 'ONLINE_GOLD' });
    const phone = await visit(service.baseUrl, { language: 'hi' });
    const weights = await weighedPages(phone.page);
    const applicant = new PhoneApplicant(service, phone);
    await applicant.follow(start);
    await applicant.goOnTo('/hosted/done');
    expect(applicant.passed).toContain('/hosted/branch');
    expect(await outcomeOf(start.id)).toBe('SANCTIONED');
    await phone.page.waitForLoadState('networkidle');
    const [first, ...later] = [...weights].filter(([path]) => path.startsWith('/hosted/'));
    expect(first[0]).toBe(start.link);
    expect(first[1]).toBeGreaterThan(10_000);
    expect(first[1]).toBeLessThan(FIRST_BYTES);
    expect(later.length).toBeGreaterThan(10);
    expect(later.filter(([, bytes]) => bytes >= LATER_BYTES)).toEqual([]);
    expectQuiet(phone);
  });

  it('without JavaScript, stopped half-way, and resumed on another device through a fresh link', async () => {
    const start = await startHosted(service);
    const first = await visit(service.baseUrl, { javaScript: false });
    const applicant = new PhoneApplicant(service, first);
    await applicant.follow(start);
    await applicant.goOnTo('/hosted/bank-account');
    await first.close();

    const client = new HostedClient(service.baseUrl);
    await client.open(start.link);
    await client.send303();
    const fresh = await linkFor(service, start.mobile);
    const second = await visit(service.baseUrl, { javaScript: false, viewport: DESKTOP });
    const again = new PhoneApplicant(service, second);
    await again.follow({ ...start, link: fresh });
    expect(again.path()).toBe('/hosted/bank-account');
    await again.goOnTo('/hosted/done');
    expect(await outcomeOf(start.id)).toBe('SANCTIONED');
    expectQuiet(second);
  });

  it('one number counts the pages that ask, from the first to the last; KYC that fails once is tried again; the page of the payout goes on', async () => {
    const mobile = newMobile();
    const names = { firstName: undefined, lastName: undefined };
    const { json } = await partnerClient(service).initiate({
      ...shortLoanRequest({ ...names, pan: 'SANDX0004A' }),
      mobile,
      channel: 'API_HOSTED',
      loanAmount: 200_000,
    });
    const phone = await visit(service.baseUrl);
    const applicant = new PhoneApplicant(service, phone);
    await applicant.follow({ link: new URL(json.data.hostedUrl).pathname, mobile });
    await applicant.goOnTo('/hosted/done');
    const steps = Array.from({ length: 9 }, (_, place) => `Step ${place + 1} of 9`);
    expect(applicant.counts).toEqual(steps);
    expect(applicant.passed.filter((path) => path === '/hosted/kyc')).toHaveLength(2);
    expect(applicant.passed).toContain('/hosted/mandate');
    expect(await outcomeOf(json.data.journeyId)).toBe('SANCTIONED');
    expectQuiet(phone);
  });
});

describe('a page that waits', () => {
  it('leads to the offers once the last lender has run out of time', async () => {
    const journey = await StepJourney.begin(service, { pan: 'SANDX0002A' });
    const { applicant, page } = await arrivedAt(journey);
    expect(applicant.path()).toBe('/hosted/waiting');
    await eventually(async () => {
      expect((await journey.view()).offers.length).toBeGreaterThanOrEqual(2);
    }, WAIT);
    await service.travel(121_000);
    await applicant.goOnTo('/hosted/offers');
    await page.locator('.without', { hasText: translate('en', 'offers.without.silent') }).waitFor();
  });

  it('leads to the last page once the loan is paid out', async () => {
    const journey = await StepJourney.at('DISBURSEMENT_PENDING', service, { pan: 'SANDX0008A' });
    const { applicant } = await arrivedAt(journey);
    await applicant.goOnTo('/hosted/disbursement');
    await service.travel(31_000);
    expect(await applicant.goOnTo('/hosted/done')).toBe('/hosted/done');
  });
});

describe('on the way back from a provider', () => {
  it('left with nothing done, the page waits for nothing, and leads to the provider again; Back repeats nothing', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const { applicant, page } = await arrivedAt(journey);
    await page.getByRole('link', { name: 'Go to the identity check' }).click();
    await page.click('button[value="leave"]');
    await page.waitForURL('**/hosted/kyc');
    await page.getByRole('link', { name: 'Go to the identity check', exact: true }).waitFor();
    expect(await page.locator('#live').count()).toBe(0);
    await applicant.goOnTo('/hosted/mandate');
    const before = await journey.view();
    await page.goBack();
    await page.waitForURL('**/hosted/mandate');
    const after = await journey.view();
    expect([after.state, after.redirect?.url]).toEqual([before.state, before.redirect?.url]);
  });
});

describe('another offer on a phone', () => {
  it('is chosen without JavaScript, and the journey goes on with it', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const before = (await journey.view()).selected!.offer.offerId;
    const { applicant, page, phone } = await arrivedAt(journey, { javaScript: false });
    await page.locator('main a[href="/hosted/offers"]').click();
    await page.waitForURL('**/hosted/offers');
    await page.locator('main a.btn:not(.btn-2):visible').first().click();
    await page.waitForURL('**/confirm?**');
    await page.check('#hasRead');
    await page.locator('main .btn:not(.btn-2):visible').first().click();
    await page.waitForURL((url) => !url.pathname.includes('/offers'));
    expect(applicant.path()).toBe('/hosted/kyc');
    expect((await journey.view()).selected!.offer.offerId).not.toBe(before);
    expectQuiet(phone);
  });

  it('is looked at by keyboard alone; the chosen one stays, and the application is stopped', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const { selected } = await journey.view();
    const { page, phone } = await arrivedAt(journey);
    const press = async (name: string, path: string) => {
      await pressTabTo(page, name);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}`);
    };
    await press('Choose another offer', '/hosted/offers');
    await press(`Stay with ${shortName(selected!.offer)}`, '/hosted/kyc');
    expect((await journey.view()).selected!.offer.offerId).toBe(selected!.offer.offerId);
    await press(translate('en', 'ui.foot.stop'), '/hosted/stop');
    await press(translate('en', 'entry.stop.button'), '/hosted/abandoned');
    expect(await outcomeOf(journey.start.id)).toBe('ABANDONED');
    expectQuiet(phone);
  });
});

describe('the figures that follow the amount', () => {
  it('change while it is typed, and are marked as old until they have', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service);
    const { page, phone } = await arrivedAt(journey);
    await page.locator('a.btn:not(.btn-2):visible').first().click();
    await page.getByRole('link', { name: 'Change the loan amount' }).click();
    await page.locator('#loan-figures').getByText('₹6,594').waitFor();
    await page.fill('#loanAmount', '1,50,000');
    await page.locator('#loan-figures[data-stale]').waitFor();
    await page.locator('#loan-figures').getByText('₹4,946').waitFor();
    await page.locator('#loan-figures:not([data-stale])').waitFor();
    // What the offer does not cover is not quoted: the figures stay marked, and the button explains.
    await page.fill('#loanAmount', '5');
    await page.locator('#loan-figures[data-stale]').waitFor();
    await page.getByRole('button', { name: 'Use this amount' }).click();
    await page.getByRole('link', { name: 'Enter ₹1,000 to ₹2,00,000' }).waitFor();
    expectQuiet(phone);
  });

  it('without JavaScript, by the button', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service);
    const { page } = await arrivedAt(journey, { javaScript: false });
    await page.locator('a.btn:not(.btn-2):visible').first().click();
    await page.getByRole('link', { name: 'Change the loan amount' }).click();
    await page.fill('#loanAmount', '१५००००');
    await page.getByRole('button', { name: 'Update figures' }).click();
    await page.locator('#loan-figures').getByText('₹4,946').waitFor();
    expect(await page.inputValue('#loanAmount')).toBe('1,50,000');
  });
});

describe('the nearest branch', () => {
  it('comes first when the applicant allows it; where they are is not sent', async () => {
    const journey = await StepJourney.at('OFFER_SELECTED', service, { productCode: 'ONLINE_GOLD' });
    const phone = await visit(service.baseUrl);
    const applicant = new PhoneApplicant(service, phone);
    // In Kochi, a kilometre or so from the branch of Ernakulam.
    await phone.context.grantPermissions(['geolocation']);
    await phone.context.setGeolocation({ latitude: 9.98, longitude: 76.28 });
    await applicant.resume(journey);
    const { page } = phone;
    const names = () => page.locator('.branch b').allInnerTexts();
    expect(await names()).toEqual(['Ameerpet', 'Ernakulam', 'R. S. Puram', 'T. Nagar']);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
    await page.getByRole('button', { name: 'Nearest first' }).click();
    await page.getByText('The nearest branch is now first.').waitFor();
    expect(await names()).toEqual(['Ernakulam', 'R. S. Puram', 'T. Nagar', 'Ameerpet']);
    await page.getByText('about 1.1 km away').waitFor();
    expect(sent).toEqual([]);
    expectQuiet(phone);
  });

  it('stays unknown when it is refused, and a branch can be chosen all the same', async () => {
    const journey = await StepJourney.at('OFFER_SELECTED', service, { productCode: 'ONLINE_GOLD' });
    const { applicant, page } = await arrivedAt(journey);
    await page.getByRole('button', { name: 'Nearest first' }).click();
    await page.getByText('We could not find where you are').waitFor();
    await applicant.goOnTo('/hosted/kyc');
    expect((await journey.view()).selected?.branch?.name).toBe('Ernakulam');
  });
});

describe('with a keyboard alone', () => {
  it('a loan is chosen, the account given and the agreement signed', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service);
    const { page } = await arrivedAt(journey, { viewport: DESKTOP });
    const press = async (name: string, path: string, key = 'Enter') => {
      await pressTabTo(page, name);
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.pathname.endsWith(path));
    };
    const type = async (label: string, text: string) => {
      await pressTabTo(page, label);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    };
    const provider = async (name: string, button: string, next: string) => {
      await pressTabTo(page, name);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sandbox/provider/**');
      await press(button, next);
    };

    await pressTabTo(page, 'Choose Navdhara Capital Limited');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/confirm?*');
    await pressTabTo(page, 'Change the loan amount');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/hosted/offers/off_*');
    await type('Loan amount', '150000');
    await press('Use this amount', '/confirm');
    await pressTabTo(page, 'I have read the KFS and want this loan from Navdhara Capital Limited.');
    await page.keyboard.press('Space');
    await press('Choose this loan', '/hosted/kyc');
    await provider('Go to the identity check', 'Verify my identity', '/hosted/bank-account');
    await pressTabTo(page, 'Savings');
    await page.keyboard.press('Space');
    await type('Account number', '123456789012');
    await type('Account number again', '123456789012');
    await type('IFSC', 'HDFC0001234');
    await page.getByText('HDFC Bank').waitFor();
    await press('Yes, continue', '/hosted/mandate');
    await provider('Set up Autopay', 'Allow the collection', '/hosted/esign');
    await pressTabTo(page, 'Read and sign');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sandbox/provider/**');
    await pressTabTo(page, 'Sign the agreement');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/hosted/done');
    expect(await outcomeOf(journey.start.id)).toBe('SANCTIONED');
  });
});
