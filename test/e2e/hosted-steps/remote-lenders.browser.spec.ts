import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserTests, type VisitOptions } from '../../support/browser.js';
import { type HostedStart, startHosted } from '../../support/hosted-client.js';
import { partnerClient } from '../../support/partner-client.js';
import { RemoteLenderStage } from '../../support/remote-lender-stage.js';
import { VisitedJourney } from '../journeys/visited-journey.js';
import { expectQuiet, PhoneApplicant } from './phone-applicant.js';

const visit = browserTests();

let stage: RemoteLenderStage;

beforeAll(async () => {
  stage = await RemoteLenderStage.open();
});

afterAll(() => stage.close());

async function wholeWay(start: HostedStart, options: VisitOptions = {}) {
  const phone = await visit(stage.service.baseUrl, { alsoAllowed: [stage.lendersUrl], ...options });
  const applicant = new PhoneApplicant(stage.service, phone);
  await applicant.follow(start);
  await applicant.goOnTo('/hosted/done');
  const journey = (await partnerClient(stage.service).journey(start.id)).json.data;
  expect(journey.outcome).toBe('SANCTIONED');
  const visits = applicant.passed.filter((path) => path.includes('/visits/'));
  return { phone, visits, passed: await stage.passedSteps(journey.applicationId) };
}

describe('with lenders on another site, from the link to the money', () => {
  it.each([
    ['ONLINE_PERSONAL', ['KYC', 'MANDATE', 'ESIGN']],
    ['ONLINE_GOLD', ['KYC', 'ESIGN']],
  ])('%s: each step on a page of the lender', async (productCode, steps) => {
    const start = await startHosted(stage.service, { productCode });
    const { phone, visits, passed } = await wholeWay(start);
    expect(passed).toEqual(steps);
    expect(new Set(visits).size).toBe(steps.length);
    expectQuiet(phone);
  });

  it('without JavaScript, one visit for all steps', async () => {
    // The best offer for a business is of a lender whose page deals with all of them.
    const start = await startHosted(stage.service, { productCode: 'ONLINE_BUSINESS' });
    const { phone, visits, passed } = await wholeWay(start, { javaScript: false });
    expect(passed).toEqual(['KYC', 'MANDATE', 'ESIGN']);
    expect(visits).toHaveLength(3);
    expect(new Set(visits).size).toBe(1);
    expectQuiet(phone);
  });

  it('headless: the statement on our page, then the lender’s page, then the partner’s', async () => {
    const journey = await VisitedJourney.start(stage.service, {});
    const { currentNextAction } = await journey.goOnTo('KYC_PENDING');
    const phone = await visit(stage.service.baseUrl, { alsoAllowed: [stage.lendersUrl] });
    const { page } = phone;
    await phone.goto(currentNextAction.url!);
    await page.check('#hasRead');
    await page.locator('main .button-primary').click();
    await page.waitForURL(`${stage.lendersUrl}/**`);
    await page.click('button[value="approve"]');
    await page.waitForURL('**/sandbox/partner?**');
    await journey.returned('KYC');
    await journey.reaches('BANK_ACCOUNT_PENDING');
    expectQuiet(phone);
  });
});
