import { get } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import {
  axeColourCheck,
  browserTests,
  pageWeight,
  sidewaysOverflow,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { codeFor, linkFor, newMobile, signedIn, startHosted } from '../../support/hosted-client.js';
import { inForm } from '../../support/long-form.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { ACCOUNT, StepJourney, WAIT } from '../hosted-steps/step-journey.js';
import { HOUR, InstantLoanBench } from '../instant-loans/instant-loan-bench.js';
import { JourneyBench } from '../journeys/journey-bench.js';
import {
  expectJourneyWithinBudget,
  type Language,
  NARROW,
  PageWalk,
  type Words,
} from './page-walk.js';

/** Hindi has the longest words, so in the short form it is the only language. */
const LANGUAGES = inForm<readonly Language[]>({ short: ['hi'], long: ['en', 'hi'] });
const MAX_BYTES_BEFORE_FONTS = 60_000;

const GOLD = { productCode: 'ONLINE_GOLD' };
const SLOW_LENDERS = 'SANDX0002A';
const SLOW_PAYOUT = { pan: 'SANDX0008A' };

const visit = browserTests();

let bench: InstantLoanBench;
let service: TestService;
let headless: JourneyBench;
/** The path of each page of an instant loan, by its stage. */
let places: Record<string, string>;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  ({ service } = bench);
  headless = new JourneyBench(service);
  places = await instantLoanPages();
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  await headless?.close();
  await bench?.close();
});

describe.each(LANGUAGES)(
  'no rule of WCAG 2.2 AA is broken in either light, nothing is cut off with text at twice its size, no other host is asked, and the budgets are kept in both languages: opened in %s',
  (language) => {
    const walked: Record<string, Words> = {};

    async function begin(name: string): Promise<PageWalk> {
      const walk = new PageWalk(
        await visit(service.baseUrl, { language, viewport: NARROW }),
        language,
      );
      walked[name] = walk.words;
      return walk;
    }

    it('the way in, with as little as the partner may give, and the wait', async () => {
      const walk = await begin('entry');
      const { page } = walk;
      await walk.visit((await startHosted(service)).link, 'start');
      const mobile = newMobile();
      const names = { firstName: undefined, lastName: undefined };
      const { json } = await partnerClient(service).initiate({
        ...shortLoanRequest({ ...names, pan: SLOW_LENDERS }),
        mobile,
        channel: 'API_HOSTED',
        loanAmount: 200_000,
      });
      await walk.visit(new URL(json.data.hostedUrl).pathname, 'start-amount');
      await walk.press();
      await walk.look('code');
      await page.fill('#code', '12');
      await walk.press();
      await walk.look();
      await page.fill('#code', await codeFor(service, mobile));
      await walk.press();
      await walk.look('consent');
      await walk.press();
      await walk.look();
      await page.check('#agree');
      await walk.press();
      await walk.look('details');
      await walk.press();
      await walk.look('details-errors', true);
      await page.fill('#fullName', 'Asha Verma');
      await page.check('[name=gender]');
      await page.check('[name=employmentType]');
      await walk.press();
      await walk.look('check');
      await walk.press();
      await walk.look('waiting');
      const { journeyId } = json.data;
      await service.travel(11_000);
      await eventually(async () => {
        const sql = 'SELECT 1 FROM journey_offers WHERE journey_id = $1';
        expect(await bench.records.query(sql, [journeyId])).toHaveLength(2);
      }, WAIT);
      await page.goto('/hosted/waiting');
      await page.getByText('Navdhara Capital Limited').waitFor();
      await walk.look();
      // The third lender is waited for until its deadline.
      await service.travel(120_000);
      await page.waitForURL('**/hosted/offers');
      await walk.look('offers-without');
    });

    it('the steps of a personal loan', async () => {
      const walk = await begin('personal');
      const { page } = walk;
      const journey = await StepJourney.at('OFFERS_RECEIVED', service, SLOW_PAYOUT);
      const lender = service.get(SandboxLender);
      await walk.signIn(journey);
      await walk.look('offers');
      await journey.query(
        `UPDATE journeys SET lease_until = app_now() + interval '10 minutes' WHERE id = $1`,
      );
      await walk.visit('/hosted/moment');
      await journey.query(`UPDATE journeys SET lease_until = NULL WHERE id = $1`);
      await walk.visit('/hosted/stop', 'stop');
      await walk.goto('/hosted/offers');
      const quote = vi.spyOn(lender, 'quote').mockRejectedValue(new LenderUnavailable('down'));
      await walk.follow('/confirm');
      await walk.look();
      quote.mockRestore();
      await walk.follow('/confirm');
      await walk.look('confirm');
      await walk.press();
      // The reading starts with what is wrong.
      await page.waitForFunction(`document.activeElement?.matches('.errors')`);
      await walk.look();
      await walk.follow('/key-facts/');
      await walk.look();
      await walk.goto('/hosted/offers');
      await walk.follow('/confirm');
      await walk.follow('amount=');
      await walk.look('amount');
      await page.fill('#loanAmount', 'much');
      await walk.press();
      await page.waitForSelector('.errors');
      await walk.look();
      const { offers } = await journey.view();
      await journey.query(
        `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
        [offers.at(-1)!.offerId],
      );
      await walk.visit('/hosted/offers?notice=expired');

      await journey.driveTo('KYC_PENDING');
      await walk.visit('/hosted', 'kyc');
      const binding = `'{"bindsAfter":"KYC"}'`;
      await setTerms(journey, `terms || ${binding}`);
      await walk.visit('/hosted/kyc');
      await setTerms(journey, `terms - 'bindsAfter'`);
      await walk.visit('/hosted/offers');
      await walk.follow('/confirm');
      await walk.look();
      const toProvider = async () => {
        const { redirect } = await journey.view();
        return journey.client.get(new URL(redirect!.url).pathname);
      };
      const declined = await toProvider();
      await journey.client.post(declined.location, { decision: 'decline' });
      await journey.client.get('/hosted/returned/KYC');
      await walk.goto('/hosted/kyc');
      await page.waitForSelector('.call[role=alert]');
      await walk.look();
      const ask = vi.spyOn(lender, 'ask').mockResolvedValue({ status: 'PENDING' });
      const undecided = await toProvider();
      await journey.client.get('/hosted/returned/KYC');
      await walk.goto('/hosted/kyc');
      await page.waitForSelector('#live');
      await walk.look();
      ask.mockRestore();
      await journey.client.post(undecided.location, { decision: 'approve' });

      await journey.driveTo('BANK_ACCOUNT_PENDING');
      await walk.visit('/hosted', 'bank-account');
      await page.fill('#accHolderName', '');
      await walk.press();
      await page.waitForSelector('.errors');
      await walk.look();
      await page.route('**/bank-account/branch', (route) => route.abort());
      await fillInAccount(walk, 'HDFC0ZZZZZZ');
      await walk.press();
      await page.waitForSelector('#bank-branch .call-warn');
      await walk.look();
      await page.unroute('**/bank-account/branch');
      const refusal = vi.spyOn(lender, 'verifyAccount');
      refusal.mockResolvedValue({ kind: 'REFUSED', reason: 'ACCOUNT_NOT_FOUND' });
      await fillInAccount(walk, ACCOUNT.ifscCode);
      await page.getByText('HDFC Bank').waitFor();
      await walk.press();
      await page.waitForSelector('.errors');
      await walk.look();
      refusal.mockRestore();

      await journey.driveTo('MANDATE_PENDING');
      await walk.visit('/hosted', 'mandate');
      await journey.driveTo('ESIGN_PENDING');
      await walk.visit('/hosted', 'esign');
      await journey.driveTo('DISBURSEMENT_PENDING');
      await walk.visit('/hosted', 'money');
      await expectMarksInForcedColours(walk);
      await service.travel(31_000);
      await journey.reaches('SANCTIONED');
      await walk.visit('/hosted', 'done');
      for (const fold of await page.locator('main summary').all()) await fold.click();
      await walk.look();
      await walk.follow('/hosted/done/cannot-pay');
      await walk.look();
    });

    it('the steps of a gold loan', async () => {
      const walk = await begin('gold');
      const journey = await StepJourney.at('OFFERS_RECEIVED', service, { ...GOLD, ...SLOW_PAYOUT });
      await walk.signIn(journey);
      await walk.look('gold-offers');
      await walk.follow('/confirm');
      await walk.look('confirm');
      await walk.follow('amount=');
      await walk.look();
      await journey.driveTo('OFFER_SELECTED');
      await walk.visit('/hosted', 'gold-branch');
      await walk.press();
      await walk.page.waitForSelector('.errors');
      await walk.look();
      for (const [state, name] of [
        ['KYC_PENDING', 'kyc'],
        ['BANK_ACCOUNT_PENDING', 'bank-account'],
        ['ESIGN_PENDING', 'esign'],
      ]) {
        await journey.driveTo(state);
        await walk.goto('/hosted');
        await walk.measure(name);
      }
      await journey.driveTo('DISBURSEMENT_PENDING');
      await walk.visit('/hosted', 'money');
      await service.travel(31_000);
      await journey.reaches('SANCTIONED');
      await walk.visit('/hosted', 'done');
      expect(walk.looks).toBe(7);
    });

    it('a single offer, and journeys that end without a loan', async () => {
      const walk = await begin('endings');
      await walk.signIn(await StepJourney.at('OFFERS_RECEIVED', service, { pan: 'SANDX0003A' }));
      await walk.look('offers-one');
      await walk.signIn(await StepJourney.at('REJECTED', service, { pan: 'SANDX0001A' }));
      await walk.look('no-offers');
      await walk.signIn(await StepJourney.at('REJECTED', service, { pan: 'SANDX0007A' }));
      await walk.look();
      const abandoned = await StepJourney.at('KYC_PENDING', service);
      await abandoned.query(
        `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
      );
      await abandoned.reaches('ABANDONED');
      await walk.signIn(abandoned);
      await walk.look();
      await walk.signIn(await StepJourney.at('KYC_PENDING', service), '/hosted/stop');
      await walk.page.locator('main form button').click();
      await walk.page.waitForURL('**/hosted/abandoned');
      await walk.look();
      expect(walk.looks).toBe(5);
    });

    it('links that lead nowhere any more, and pages without an applicant', async () => {
      const walk = await begin('links');
      const start = await startHosted(service);
      await (await signedIn(service, start)).send303({ agree: '1' });
      await walk.visit('/hosted/start/unknown');
      await walk.goto(start.link);
      await walk.page.context().clearCookies();
      await walk.press();
      await walk.look();
      await walk.visit('/hosted/link');
      await walk.visit(start.link);
      await walk.press();
      expect(new URL(walk.page.url()).pathname).toBe('/hosted/link/sent');
      await walk.look();
      await walk.goto(await linkFor(service, start.mobile));
      await walk.page.locator('main .btn:not(.btn-2)').waitFor();
      await walk.look();
      const expired = await startHosted(service);
      await bench.records.query(
        `UPDATE hosted_links SET expires_at = app_now() WHERE journey_id = $1`,
        [expired.id],
      );
      await walk.visit(expired.link, 'expired');
      for (const path of [
        '/returned',
        '/nowhere',
        '/data',
        `/sandbox/partner?journeyId=jrn_${'0'.repeat(32)}&outcome=SANCTIONED`,
      ])
        await walk.visit(path);
    });

    it('statements, and the pages of a headless journey', async () => {
      const walk = await begin('headless');
      const { page } = walk;
      // The largest loan: the widest figures.
      const largest = await headless.startWithOffers({ loanAmount: 10_000_000 });
      await largest.select();
      await walk.visit((await largest.read()).selectedOffer!.kfsLink);
      const gold = await headless.startWithOffers(GOLD);
      await walk.visit((await gold.offers())[0].kfsLink);
      const journey = await headless.startWithOffers();
      await journey.goOnTo('KYC_PENDING');
      await walk.visit(await journey.redirectUrl());
      await walk.press();
      await page.waitForFunction(`document.activeElement?.matches('.errors')`);
      await walk.look();
      await walk.follow('/kfs/');
      await walk.look();
      for (const state of ['KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING']) {
        await journey.goOnTo(state);
        await walk.visit(await journey.providerPage());
        await page.locator('button[value="approve"]').click();
        await page.waitForURL('**/sandbox/partner?**');
      }
      expect(walk.looks).toBe(8);
    });

    it('instant loans', async () => {
      const walk = await begin('instant');
      for (const [name, path] of Object.entries(places)) {
        await walk.visit(path, name.startsWith('instant-') ? name : undefined);
        expect(await sentBytes(path, language)).toBeLessThan(10_000);
      }
    });

    it('journeys as a whole keep to their budget of words', () => {
      const { entry, personal, gold, instant } = walked;
      expectJourneyWithinBudget('personal', entry, personal);
      expectJourneyWithinBudget('personalWithDetails', entry, personal);
      expectJourneyWithinBudget('gold', entry, gold);
      expectJourneyWithinBudget('instant', instant);
    });
  },
);

/** In forced colours, what is done and what is waited for can still be told apart. */
async function expectMarksInForcedColours({ page }: PageWalk): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  const marks = await page.evaluate<string[]>(`['.is-done', '.is-now'].map((mark) =>
    getComputedStyle(document.querySelector('.time ' + mark), '::before').borderTopColor)`);
  expect(marks[0]).not.toBe(marks[1]);
  await axeColourCheck(page);
  await page.emulateMedia({ forcedColors: 'none' });
}

it('at 400 % the header leaves room for the page, in forced colours too', async () => {
  const journey = await StepJourney.at('OFFERS_RECEIVED', service);
  const phone = await visit(service.baseUrl, {
    viewport: { width: 320, height: 256 },
    forcedColors: 'active',
  });
  const { page } = phone;
  await new PageWalk(phone, 'en').signIn(journey);
  // A sandbox whose time was moved says so there.
  await page.evaluate(`document.querySelector('.sandbox-time')?.remove()`);
  expect((await page.locator('.top').boundingBox())!.height).toBeLessThan(50);
  const stages = inForm({ short: ['instant-choose', 'instant-pay'], long: Object.keys(places) });
  for (const path of ['/hosted/offers', ...stages.map((stage) => places[stage])]) {
    await phone.goto(path);
    await axeColourCheck(page);
    expect(await sidewaysOverflow(page)).toBe(0);
  }
});

it('pages to which a link leads weigh less than 60 KB before fonts', async () => {
  const { page } = await visit(service.baseUrl);
  const gold = await headless.startWithOffers(GOLD);
  for (const path of [
    (await startHosted(service)).link,
    (await gold.offers())[0].kfsLink,
    places['instant-choose'],
    places['instant-pay'],
  ]) {
    expect((await pageWeight(page, path)).withoutFonts).toBeLessThan(MAX_BYTES_BEFORE_FONTS);
  }
});

async function setTerms(journey: StepJourney, terms: string): Promise<void> {
  await journey.query(`UPDATE journey_offers SET terms = ${terms} WHERE journey_id = $1`);
}

async function fillInAccount({ page }: PageWalk, ifscCode: string): Promise<void> {
  await page.fill('#accHolderName', ACCOUNT.accHolderName);
  await page.check(`[name=acctype][value=${ACCOUNT.acctype}]`);
  await page.fill('#accNo', ACCOUNT.accNo);
  await page.fill('#accNoAgain', ACCOUNT.accNoAgain);
  await page.fill('#ifscCode', ifscCode);
}

/** Pages of instant loans that no longer move; those with a budget by its name. */
async function instantLoanPages(): Promise<Record<string, string>> {
  const pathOf = ({ redirectUrl }: { redirectUrl: string }) => new URL(redirectUrl).pathname;
  const expired = await bench.apply();
  await service.travel(73 * HOUR);
  await bench.reaches(expired.applicationId, 'EXPIRED');
  const fresh = await bench.order();
  const chosen = pathOf(await bench.apply());
  const offerless = await bench.create({ pan: 'SANDX0001A' });
  await bench.reaches(offerless.applicationId, 'REJECTED');
  const failed = await bench.apply();
  await bench.atGateway(failed, 'fail');
  await bench.reaches(failed.applicationId, 'PAYMENT_FAILED');
  const decided = async (pan: string, status: string) => {
    const loan = await bench.apply({ pan });
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, status);
    return `${pathOf(loan)}/done`;
  };
  const declined = await decided('SANDX0013A', 'REJECTED');
  const approved = await decided('ABCDE1234F', 'SANCTIONED');
  const slow = await bench.applySlowly();
  await bench.atGateway(slow, 'pay');
  await bench.reaches(slow.applicationId, 'PAYMENT_RECEIVED');
  const unanswered = await bench.create({ pan: 'SANDX0002B' });
  // No application moves on while a browser looks at it.
  await eventually(async () => {
    const asking = await bench.records.query(
      `SELECT 1 FROM lender_questions
       WHERE status = 'OPEN' AND (attempts = 0 OR lease_until IS NOT NULL)`,
    );
    expect(asking).toEqual([]);
  });
  const ofLoans = 'SELECT journey_id FROM instant_loans';
  await bench.records.query(
    `UPDATE lender_questions SET next_attempt_at = app_now() + interval '1 day'
     WHERE status = 'OPEN' AND subject_id IN (${ofLoans})`,
  );
  await bench.records.query(
    `UPDATE journeys SET offers_due_at = app_now() + interval '1 day',
       offers_given_up_at = app_now() + interval '1 day' WHERE id = $1`,
    [unanswered.journeyId],
  );
  return {
    'instant-choose': pathOf(await bench.offered()),
    'instant-pay': chosen,
    'instant-waiting': `${pathOf(slow)}/done`,
    'instant-approved': approved,
    'instant-declined': declined,
    offers: pathOf(unanswered),
    compared: `${chosen}/offers`,
    noOffer: `${pathOf(offerless)}/done`,
    checking: `${pathOf(fresh)}/done`,
    ordered: pathOf(fresh),
    failed: `${pathOf(failed)}/done`,
    toPayAgain: pathOf(failed),
    expired: `${pathOf(expired)}/done`,
  };
}

/** The bytes of a page as it travels, compressed. */
function sentBytes(path: string, language: Language): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip', 'accept-language': language };
    get(service.baseUrl + path, { headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => (bytes += part.length));
      answer.on('end', () => resolve(bytes));
      answer.on('error', reject);
    }).on('error', reject);
  });
}
