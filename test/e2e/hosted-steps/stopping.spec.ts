import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
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
  withdrawalsOf,
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
  it.each(['OFFERS_RECEIVED', 'ESIGN_PENDING'])(
    'in %s ends the journey, and every lender that was asked is notified',
    async (state) => {
      const journey = await StepJourney.at(state, service);
      const mayHaveMandate = state === 'ESIGN_PENDING';
      const step = await journey.client.open('/hosted');
      expect(step.text).toContain('href="/hosted/stop"');
      const before = await eventsOf(journey);
      const question = wordsOf(await journey.client.open('/hosted/stop'));
      const page = await stop(journey);
      expect([page.path, page.heading]).toEqual([
        '/hosted/abandoned',
        'You stopped this application',
      ]);
      expect(wordsOf(page)).toContain('Enquiries stay on your credit report.');
      for (const words of [question, wordsOf(page)]) {
        expect(words.includes(MANDATE_STAYS)).toBe(mayHaveMandate);
        expect(words.includes('Navdhara Capital Limited: 1800 000 1400')).toBe(mayHaveMandate);
      }
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

  it('while the lenders still look at it keeps them from being asked further', async () => {
    // One of the lenders never answers.
    const journey = await StepJourney.begin(service, { pan: 'SANDX0002A' });
    expect((await journey.client.open('/hosted')).text).toContain('href="/hosted/stop"');
    await stop(journey);
    await expectStopped(journey);
  });

  it('does so once, from two phones at once; a form from before a step was done shows where the journey is', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    await journey.client.open('/hosted/stop');
    const form = journey.client.copy();
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    expect((await form.send303()).path).toBe('/hosted/bank-account');
    expect((await journey.view()).state).toBe('BANK_ACCOUNT_PENDING');
    await journey.client.open('/hosted/stop');
    const phones = [journey.client.copy(), journey.client.copy(), journey.client.copy()];
    await Promise.all(phones.map((phone) => phone.submit()));
    expect((await trailOf(journey)).filter((one) => one === 'CONSENT_WITHDRAWN')).toHaveLength(1);
    await expectStopped(journey);
  });

  it('also notifies lenders that know of another choice, and does not wait for one that does not answer', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const first = (await journey.view()).selected!.offer.lenderCode;
    await chooseAnother(journey);
    const [other] = othersOf(await journey.view());
    vi.spyOn(service.get<SandboxLender>(SandboxLender), 'select').mockRejectedValue(
      new LenderUnavailable('the simulated lender is silent'),
    );
    await openConfirmation(journey.client, other);
    expect((await journey.client.submit({ hasRead: '1' })).status).toBe(503);
    expect((await stop(journey)).path).toBe('/hosted/abandoned');
    await expectStopped(journey);
    const withdrawals = await withdrawalsOf(journey);
    for (const code of [first, other.lenderCode]) {
      const reasons = withdrawals
        .filter(({ lender }) => lender === code)
        .map(({ reason }) => reason);
      expect(reasons.toSorted()).toEqual(['CONSENT_WITHDRAWN', 'NOT_CHOSEN']);
    }
    const intents = await journey.query(
      `SELECT 1 FROM journey_intents WHERE journey_id = $1 AND status = 'OPEN'`,
    );
    expect(intents).toEqual([]);
  });
});

it('a mandate is spoken of once its page was visited, before another offer is confirmed, and of its own lender after that', async () => {
  const journey = await StepJourney.at('MANDATE_PENDING', service);
  const { client } = journey;
  expect(wordsOf(await client.open('/hosted/stop'))).not.toContain('Autopay');
  await providerPage((await journey.view()).redirect!.url);
  expect(wordsOf(await client.open('/hosted/stop'))).toContain(MANDATE_STAYS);
  const [other] = othersOf(await journey.view());
  expect(wordsOf(await openConfirmation(client, other))).toContain(
    'It must collect nothing, but only you can end it',
  );
  await client.submit({ hasRead: '1' });
  const words = wordsOf(await client.open('/hosted/stop'));
  expect(words).toContain('Navdhara Capital Limited: 1800 000 1400');
  expect(words).not.toContain(other.lenderName);
});

it('a journey that ends in another way after the choice notifies the other lenders, too, once', async () => {
  // KYC is rejected.
  const journey = await StepJourney.at('REJECTED', service, { pan: 'SANDX0005A' });
  const withdrawals = await withdrawalsOf(journey);
  expect(withdrawals.map(({ lender, reason }) => [lender, reason])).toEqual(
    (await lendersAsked(journey)).map((code) => [code, 'ENDED']),
  );
});
