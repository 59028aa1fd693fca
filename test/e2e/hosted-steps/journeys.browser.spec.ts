import { beforeAll, describe, expect, it } from 'vitest';
import { browserTests, DESKTOP, pressTabTo, weighedPages } from '../../support/browser.js';
import { HostedClient, linkFor, newMobile, startHosted } from '../../support/hosted-client.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { expectQuiet, PhoneApplicant } from './phone-applicant.js';
import { StepJourney } from './step-journey.js';

/** All that the first page needs, fonts and style included, and what each later one may still fetch. */
const FIRST_BYTES = 100_000;
const LATER_BYTES = 10_000;

const visit = browserTests();

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

async function outcomeOf(journeyId: string): Promise<string> {
  return (await partnerClient(service).journey(journeyId)).json.data.outcome;
}

describe('on a phone, from the link to the money', () => {
  it.each([
    ['en', 'paid out'],
    ['hi', 'भेज दिए गए'],
  ] as const)(
    'ONLINE_GOLD in English and in Hindi, at most 100 KB for the first page and 10 KB for each further one: %s',
    async (language, paidOut) => {
      const start = await startHosted(service, { productCode: 'ONLINE_GOLD' });
      const phone = await visit(service.baseUrl, { language });
      const weights = await weighedPages(phone.page);
      const applicant = new PhoneApplicant(service, phone);
      await applicant.follow(start);
      await applicant.goOnTo('/hosted/done');
      expect(applicant.passed).toContain('/hosted/branch');
      await phone.page.getByText(paidOut).waitFor();
      expect(await outcomeOf(start.id)).toBe('SANCTIONED');
      await phone.page.waitForLoadState('networkidle');
      const [first, ...later] = [...weights].filter(([path]) => path.startsWith('/hosted/'));
      expect(first[0]).toBe(start.link);
      expect(first[1]).toBeGreaterThan(10_000);
      expect(first[1]).toBeLessThan(FIRST_BYTES);
      expect(later.length).toBeGreaterThan(10);
      expect(later.filter(([, bytes]) => bytes >= LATER_BYTES)).toEqual([]);
      expectQuiet(phone);
    },
  );

  it('ONLINE_PERSONAL; one number counts the pages that ask, from the first to the last', async () => {
    const mobile = newMobile();
    const body = shortLoanRequest({ firstName: undefined, lastName: undefined });
    const { json } = await partnerClient(service).initiate({
      ...body,
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
    expect(applicant.passed).toContain('/hosted/mandate');
    expect(await outcomeOf(json.data.journeyId)).toBe('SANCTIONED');
    expectQuiet(phone);
  });

  it('without JavaScript', async () => {
    const start = await startHosted(service);
    const phone = await visit(service.baseUrl, { javaScript: false });
    const applicant = new PhoneApplicant(service, phone);
    await applicant.follow(start);
    await applicant.goOnTo('/hosted/done');
    expect(await outcomeOf(start.id)).toBe('SANCTIONED');
    expect(phone.foreignRequests).toEqual([]);
  });

  it('stopped half-way, and resumed on another device through a fresh link', async () => {
    const start = await startHosted(service);
    const first = await visit(service.baseUrl);
    const applicant = new PhoneApplicant(service, first);
    await applicant.follow(start);
    await applicant.goOnTo('/hosted/bank-account');
    await first.close();

    const client = new HostedClient(service.baseUrl);
    await client.open(start.link);
    await client.send303();
    const fresh = await linkFor(service, start.mobile);
    const second = await visit(service.baseUrl, { viewport: DESKTOP });
    const again = new PhoneApplicant(service, second);
    await again.follow({ ...start, link: fresh });
    expect(again.path()).toBe('/hosted/bank-account');
    await again.goOnTo('/hosted/done');
    expect(await outcomeOf(start.id)).toBe('SANCTIONED');
  });
});

describe('the figures that follow the amount', () => {
  it('change while it is typed, and are marked as old until they have', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service);
    const phone = await visit(service.baseUrl);
    const applicant = new PhoneApplicant(service, phone);
    await applicant.resume(journey);
    const { page } = phone;
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
    const phone = await visit(service.baseUrl, { javaScript: false });
    const applicant = new PhoneApplicant(service, phone);
    await applicant.resume(journey);
    const { page } = phone;
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
    const phone = await visit(service.baseUrl);
    const applicant = new PhoneApplicant(service, phone);
    await applicant.resume(journey);
    await phone.page.getByRole('button', { name: 'Nearest first' }).click();
    await phone.page.getByText('We could not find where you are').waitFor();
    await applicant.goOnTo('/hosted/kyc');
    expect((await journey.view()).selected?.branch?.name).toBe('Ernakulam');
  });
});

describe('with a keyboard alone', () => {
  it('a loan is chosen, the account given and the agreement signed', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service);
    const phone = await visit(service.baseUrl, { viewport: DESKTOP });
    await new PhoneApplicant(service, phone).resume(journey);
    const { page } = phone;
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
