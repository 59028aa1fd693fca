// Isolated: lenders outside the process, of a configuration of its own.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { browserTests, pressTabTo, type VisitOptions } from '../../support/browser.js';
import { type HostedStart, startHosted } from '../../support/hosted-client.js';
import { partnerClient } from '../../support/partner-client.js';
import { RemoteLenderStage } from '../../support/remote-lender-stage.js';
import { standingOf } from '../journeys/acknowledgement-bench.js';
import { VisitedJourney } from '../journeys/visited-journey.js';
import { expectQuiet, PhoneApplicant } from './phone-applicant.js';

const visit = browserTests();

let stage: RemoteLenderStage;

beforeAll(async () => {
  stage = await RemoteLenderStage.open();
});

afterAll(() => stage.close());

function headlessVisit(options: VisitOptions = {}) {
  return visit(stage.service.baseUrl, { alsoAllowed: [stage.lendersUrl], ...options });
}

/** A headless journey that goes on by the link of its first redirect. */
async function atFirstLink() {
  const journey = await VisitedJourney.start(stage.service, {});
  const { currentNextAction, selectedOffer } = await journey.goOnTo('KYC_PENDING');
  return { journey, url: currentNextAction.url!, lender: selectedOffer!.sellerName };
}

function pressOn(page: Page): Promise<void> {
  return page.locator('main .btn:not(.btn-2)').click();
}

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
  it('ONLINE_GOLD: each step on a page of the lender', async () => {
    const start = await startHosted(stage.service, { productCode: 'ONLINE_GOLD' });
    const { phone, visits, passed } = await wholeWay(start);
    expect(passed).toEqual(['KYC', 'ESIGN']);
    expect(new Set(visits).size).toBe(2);
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
});

describe('headless, from the link of the first redirect', () => {
  it('the statement is read and acknowledged without JavaScript in Hindi; KYC is next', async () => {
    const { journey, url } = await atFirstLink();
    const phone = await headlessVisit({ language: 'hi', javaScript: false });
    const { page } = phone;
    const title = 'लोन की शर्तें जाँच लें';
    const heading = () => page.locator('h1').innerText();
    await phone.goto(url);
    expect(await heading()).toBe(title);
    await page.locator('a[href*="/kfs/"]').first().click();
    await page.waitForURL('**/kfs/*');
    await page.goBack();
    expect(await heading()).toBe(title);
    await pressOn(page);
    const unread = 'पहले मुख्य तथ्य विवरण पढ़ें, फिर बॉक्स पर निशान लगाएँ';
    await page.getByRole('link', { name: unread }).waitFor();
    expect(await heading()).toBe(title);
    await page.check('#hasRead');
    await pressOn(page);
    await page.waitForURL(`${stage.lendersUrl}/**`);
    const { contentHash, ...standing } = await standingOf(stage.service, journey.id);
    expect(standing).toMatchObject({
      hash: contentHash,
      language: 'hi',
      by: 'REDIRECT',
      audits: 1,
    });
    await page.click('button[value="approve"]');
    await page.waitForURL('**/sandbox/partner?**');
    await journey.returned('KYC');
    await journey.reaches('BANK_ACCOUNT_PENDING');
    expectQuiet(phone);
  });

  it('by keyboard alone to KYC; then Back, a second tab and other devices lead there, and the first word stands', async () => {
    const { journey, url, lender } = await atFirstLink();
    const phone = await headlessVisit();
    const { page } = phone;
    const secondTab = await phone.context.newPage();
    const other = await headlessVisit({ language: 'hi' });
    for (const each of [page, secondTab, other.page]) {
      await each.goto(url);
      await each.waitForSelector('#hasRead');
    }
    await pressTabTo(page, `I have read the KFS and want this loan from ${lender}.`);
    await page.keyboard.press('Space');
    await pressTabTo(page, 'Agree and continue');
    await page.keyboard.press('Enter');
    const kyc = `${stage.lendersUrl}/**`;
    await page.waitForURL(kyc);
    const first = await standingOf(stage.service, journey.id);
    expect(first).toMatchObject({ language: 'en', audits: 1 });
    const visited = page.url();
    await Promise.all([page.waitForRequest(url), page.goBack({ waitUntil: 'commit' })]);
    await page.waitForURL(kyc);
    for (const each of [secondTab, other.page]) {
      await each.check('#hasRead');
      await pressOn(each);
      await each.waitForURL(kyc);
    }
    const third = await headlessVisit();
    await third.goto(url);
    for (const each of [page, secondTab, other.page, third.page]) expect(each.url()).toBe(visited);
    expect(await standingOf(stage.service, journey.id)).toEqual(first);
    for (const each of [phone, other, third]) expectQuiet(each);
  });

  it('once its lender has revised the offer, the new statement is read anew on two phones, in both languages', async () => {
    const { journey, url } = await atFirstLink();
    const [english, hindi] = [await headlessVisit(), await headlessVisit({ language: 'hi' })];
    const lenders = `${stage.lendersUrl}/**`;
    const agree = async ({ page }: typeof english) => {
      await page.check('#hasRead');
      await pressOn(page);
      await page.waitForURL(lenders);
    };
    const hashAt = async ({ page, goto }: typeof english, link: string) => {
      await goto(link);
      return page.locator('[name="keyFactsHash"]').getAttribute('value');
    };
    const before = await hashAt(english, url);
    await agree(english);
    const { applicationId } = await journey.read();
    const { selections } = await stage.lenders.books();
    const { lender } = selections.find((one) => one.applicationId === applicationId)!;
    const revision = { lender, applicationId, reason: 'TERMS_CHANGED', annualRatePercent: '19.5' };
    await stage.lenders.operator('POST', '/offer-revisions', revision);
    await journey.reaches('OFFERS_RECEIVED');
    const { currentNextAction } = await journey.goOnTo('KYC_PENDING');
    const link = currentNextAction.url!;
    expect(link).not.toBe(url);
    for (const phone of [english, hindi]) expect(await hashAt(phone, link)).not.toBe(before);
    // Forth without the word, and back: nothing is agreed to.
    await english.page.locator('a[href*="/kfs/"]').first().click();
    await english.page.waitForURL('**/kfs/*');
    await english.page.goBack();
    await agree(hindi);
    await agree(english);
    const statements = await stage.service.get<Database>(Database).query(
      `SELECT acknowledged_language AS language, acknowledged_hash = content_hash AS "isOfIt"
       FROM key_facts_statements WHERE journey_id = $1 ORDER BY frozen_at`,
      [journey.id],
    );
    expect(statements).toEqual([
      { language: 'en', isOfIt: true },
      { language: 'hi', isOfIt: true },
    ]);
    for (const phone of [english, hindi]) expectQuiet(phone);
  });
});
