import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { translate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import {
  chooseAnother,
  eventsOf,
  expectStopped,
  lendersAsked,
  openConfirmation,
  othersOf,
  providerPage,
  toldOf,
  trailOf,
} from './leaving-bench.js';
import { MANDATE_STAYS, StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function stop({ client }: StepJourney) {
  const page = await client.open('/hosted/stop');
  expect(page.heading).toBe('Stop applying?');
  for (const said of [
    'Your consent ends',
    'It’s free: you owe nothing.',
    'Enquiries stay on your credit report.',
  ])
    expect(wordsOf(page)).toContain(said);
  return client.send303();
}

describe('an applicant who stops', () => {
  it.each(['OFFERS_RECEIVED', 'MANDATE_PENDING', 'ESIGN_PENDING'])(
    'in %s ends the journey, and every lender that was asked is told',
    async (state) => {
      const journey = await StepJourney.at(state, service);
      const step = await journey.client.open('/hosted');
      expect(step.text).toContain('href="/hosted/stop"');
      const before = await eventsOf(journey);
      const page = await stop(journey);
      expect([page.path, page.heading]).toEqual([
        '/hosted/abandoned',
        'You stopped this application',
      ]);
      expect(wordsOf(page)).toContain('Enquiries stay on your credit report.');
      expect(wordsOf(page).includes(MANDATE_STAYS)).toBe(state === 'ESIGN_PENDING');
      await expectStopped(journey);
      expect((await eventsOf(journey)).slice(before.length)).toEqual([
        [before.length + 1, 'journey.abandoned'],
      ]);
      const { data } = (await partnerClient(service).journey(journey.start.id)).json;
      expect([data.state, data.outcome, data.outcomeReason]).toEqual([
        'ABANDONED',
        'ABANDONED',
        'CONSENT_WITHDRAWN',
      ]);
    },
  );

  it('finds the link at the end of the page of the amount, and of that of the branch', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service, {
      productCode: 'ONLINE_GOLD',
    });
    const [{ offerId }] = (await journey.view()).offers;
    const amount = await journey.client.open(`/hosted/offers/${offerId}`);
    await journey.driveTo('OFFER_SELECTED');
    const branch = await journey.client.open('/hosted');
    expect([amount.heading, branch.heading]).toEqual([
      translate('en', 'offers.less'),
      'Where will you take your gold?',
    ]);
    for (const { text } of [amount, branch]) {
      expect(text.indexOf('href="/hosted/stop"')).toBeGreaterThan(text.lastIndexOf('</form>'));
    }
  });

  it('while the lenders still look at it keeps them from being asked further', async () => {
    // One of them never answers.
    const journey = await StepJourney.begin(service, { pan: 'SANDX0002A' });
    expect((await journey.client.open('/hosted')).text).toContain('href="/hosted/stop"');
    await stop(journey);
    await expectStopped(journey);
  });

  it('also has those told that were told before of another choice', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    await chooseAnother(journey);
    await stop(journey);
    await expectStopped(journey);
    expect((await toldOf(journey)).filter(({ reason }) => reason === 'NOT_CHOSEN')).toHaveLength(1);
  });

  it('does so once, from two phones at once', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    await journey.client.open('/hosted/stop');
    const phones = [journey.client.copy(), journey.client.copy(), journey.client.copy()];
    await Promise.all(phones.map((phone) => phone.submit()));
    expect((await trailOf(journey)).filter((one) => one === 'CONSENT_WITHDRAWN')).toHaveLength(1);
    await expectStopped(journey);
  });

  it('need not wait for a lender that is silent about another choice: it is told, too', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const [other] = othersOf(await journey.view());
    vi.spyOn(service.get<SandboxLender>(SandboxLender), 'select').mockRejectedValue(
      new LenderUnavailable('the simulated lender is silent'),
    );
    await openConfirmation(journey.client, other);
    expect((await journey.client.submit({ hasRead: '1' })).status).toBe(503);
    const page = await stop(journey);
    expect(page.path).toBe('/hosted/abandoned');
    await expectStopped(journey);
    const about = (await toldOf(journey)).filter(({ lender }) => lender === other.lenderCode);
    expect(about.map(({ reason }) => reason).toSorted()).toEqual([
      'CONSENT_WITHDRAWN',
      'NOT_CHOSEN',
    ]);
    const [intents] = await journey.query(
      `SELECT count(*)::int AS open FROM journey_intents WHERE journey_id = $1 AND status = 'OPEN'`,
    );
    expect(intents).toEqual({ open: 0 });
  });

  it('with a form from before a step was done is shown where the journey is', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    await journey.client.open('/hosted/stop');
    const form = journey.client.copy();
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    expect((await form.send303()).path).toBe('/hosted/bank-account');
    expect((await journey.view()).state).toBe('BANK_ACCOUNT_PENDING');
  });
});

describe('a mandate that was given, or may have been', () => {
  it('is spoken of where the applicant stops and once they have: it stays at the bank, and who can end it', async () => {
    const journey = await StepJourney.at('ESIGN_PENDING', service);
    for (const page of [await journey.client.open('/hosted/stop'), await stop(journey)]) {
      const words = wordsOf(page);
      expect(words).toContain(MANDATE_STAYS);
      expect(words).toContain('Navdhara Capital Limited: 1800 000 1400');
    }
    // Nobody here ends it: the lender is told that the consent was taken back, and no more.
    await expectStopped(journey);
  });

  it('is only once its page was visited, whatever has come of it', async () => {
    const journey = await StepJourney.at('MANDATE_PENDING', service);
    expect(wordsOf(await journey.client.open('/hosted/stop'))).not.toContain('Autopay');
    await providerPage((await journey.view()).redirect!.url);
    expect(wordsOf(await journey.client.open('/hosted/stop'))).toContain(MANDATE_STAYS);
  });

  it('is spoken of before another offer is confirmed, and of its own lender after that', async () => {
    const journey = await StepJourney.at('ESIGN_PENDING', service);
    const [other] = othersOf(await journey.view());
    expect(wordsOf(await openConfirmation(journey.client, other))).toContain(
      'It must collect nothing, but only you can end it',
    );
    await journey.client.submit({ hasRead: '1' });
    const words = wordsOf(await journey.client.open('/hosted/stop'));
    expect(words).toContain('Navdhara Capital Limited: 1800 000 1400');
    expect(words).not.toContain(other.lenderName);
  });
});

describe('a journey that ends after the choice in another way', () => {
  it('has the other lenders told so, too, once', async () => {
    // KYC is refused.
    const journey = await StepJourney.at('REJECTED', service, { pan: 'SANDX0005A' });
    const told = await toldOf(journey);
    expect(told.map(({ lender, reason }) => [lender, reason])).toEqual(
      (await lendersAsked(journey)).map((code) => [code, 'ENDED']),
    );
  });
});
