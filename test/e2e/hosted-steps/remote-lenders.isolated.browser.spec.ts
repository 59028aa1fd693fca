// Isolated: its own configuration, with remote lenders.
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { browserTests, pressTabTo, type VisitOptions } from '../../support/browser.js';
import { partnerClient } from '../../support/partner-client.js';
import { RemoteLenderStage } from '../../support/remote-lender-stage.js';
import { standingOf } from '../journeys/acknowledgement-bench.js';
import { JourneyBench } from '../journeys/journey-bench.js';
import { expectQuiet, PhoneApplicant } from './phone-applicant.js';
import { StepJourney, WAIT } from './step-journey.js';
import { ofFile } from '../../support/of-file.js';

const visit = browserTests();

const stage = ofFile(() => RemoteLenderStage.open());

function phoneWith(options: VisitOptions = {}) {
  return visit(stage.service.baseUrl, { alsoAllowed: [stage.lendersUrl], ...options });
}

it('with lenders on another site, from the offers to the money, without JavaScript: one visit for all steps', async () => {
  // The best business offer is from a lender whose page covers all steps.
  const productCode = 'ONLINE_BUSINESS';
  const journey = await StepJourney.at('OFFERS_RECEIVED', stage.service, { productCode });
  const phone = await phoneWith({ javaScript: false });
  const applicant = new PhoneApplicant(stage.service, phone);
  await applicant.resume(journey);
  await applicant.goOnTo('/hosted/done');
  const { json } = await partnerClient(stage.service).journey(journey.start.id);
  expect(json.data.outcome).toBe('SANCTIONED');
  const steps = ['KYC', 'MANDATE', 'ESIGN'];
  expect(await stage.passedSteps(json.data.applicationId)).toEqual(steps);
  const visits = applicant.passed.filter((path) => path.includes('/visits/'));
  expect([visits.length, new Set(visits).size]).toEqual([steps.length, 1]);
  expectQuiet(phone);
});

it('headless, the statement is read and acknowledged without JavaScript in Hindi; a second tab and other devices lead on, and the first word counts; a revised offer is read again', async () => {
  const { service, lendersUrl } = stage;
  const bench = new JourneyBench(service);
  onTestFinished(() => bench.close());
  const journey = await bench.start();
  await journey.reaches('OFFERS_RECEIVED', WAIT.withinMs);
  const { currentNextAction, selectedOffer } = await journey.goOnTo('KYC_PENDING');
  const url = currentNextAction.url!;
  const hindi = await phoneWith({ language: 'hi', javaScript: false });
  const english = await phoneWith();
  const lenders = `${lendersUrl}/**`;
  const pressOn = (page: Page) => page.locator('main .btn:not(.btn-2)').click();
  const agree = async (page: Page) => {
    await page.check('#hasRead');
    await pressOn(page);
    await page.waitForURL(lenders);
  };
  const hashAt = async ({ page, goto }: typeof hindi, link: string) => {
    await goto(link);
    return page.locator('[name="keyFactsHash"]').getAttribute('value');
  };
  const { page } = hindi;
  const heading = () => page.locator('h1').innerText();
  const title = 'लोन की शर्तें जाँच लें';
  const before = await hashAt(hindi, url);
  const secondTab = await hindi.context.newPage();
  await secondTab.goto(url);
  await english.goto(url);
  expect(await heading()).toBe(title);
  await page.locator('a[href*="/kfs/"]').first().click();
  await page.waitForURL('**/kfs/*');
  await page.goBack();
  expect(await heading()).toBe(title);
  await pressOn(page);
  const unread = 'पहले मुख्य तथ्य विवरण पढ़ें, फिर बॉक्स पर निशान लगाएँ';
  await page.getByRole('link', { name: unread }).waitFor();
  await agree(page);
  const { contentHash, ...first } = await standingOf(service, journey.id);
  expect(first).toMatchObject({ hash: contentHash, language: 'hi', by: 'REDIRECT', audits: 1 });

  const visited = page.url();
  await agree(secondTab);
  await pressTabTo(
    english.page,
    `I have read the KFS and want this loan from ${selectedOffer!.sellerName}.`,
  );
  await english.page.keyboard.press('Space');
  await pressTabTo(english.page, 'Agree and continue');
  await english.page.keyboard.press('Enter');
  await english.page.waitForURL(lenders);
  await Promise.all([
    english.page.waitForRequest(url),
    english.page.goBack({ waitUntil: 'commit' }),
  ]);
  await english.page.waitForURL(lenders);
  for (const each of [page, secondTab, english.page]) expect(each.url()).toBe(visited);
  expect(await standingOf(service, journey.id)).toMatchObject(first);

  const { applicationId } = await journey.read();
  const { selections } = await stage.lenders.books();
  const { lender } = selections.find((one) => one.applicationId === applicationId)!;
  const revision = { lender, applicationId, reason: 'TERMS_CHANGED', annualRatePercent: '19.5' };
  await stage.lenders.operator('POST', '/offer-revisions', revision);
  await journey.reaches('OFFERS_RECEIVED', WAIT.withinMs);
  const link = (await journey.goOnTo('KYC_PENDING')).currentNextAction.url!;
  expect(link).not.toBe(url);
  for (const phone of [english, hindi]) expect(await hashAt(phone, link)).not.toBe(before);
  // Reads the statement and goes back, without acknowledging it.
  await english.page.locator('a[href*="/kfs/"]').first().click();
  await english.page.waitForURL('**/kfs/*');
  await english.page.goBack();
  await agree(english.page);
  await agree(page);
  const statements = await service.get<Database>(Database).query(
    `SELECT acknowledged_language AS language, acknowledged_hash = content_hash AS "isOfIt"
     FROM key_facts_statements WHERE journey_id = $1 ORDER BY frozen_at`,
    [journey.id],
  );
  expect(statements).toEqual([
    { language: 'hi', isOfIt: true },
    { language: 'en', isOfIt: true },
  ]);
  await page.click('button[value="approve"]');
  await page.waitForURL('**/sandbox/partner?**');
  await journey.returned('KYC');
  await journey.reaches('BANK_ACCOUNT_PENDING');
  for (const phone of [hindi, english]) expectQuiet(phone);
});
