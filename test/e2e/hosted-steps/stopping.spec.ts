import { describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { formOf } from '../../support/hosted-client.js';
import { partnerClient } from '../../support/partner-client.js';
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
import { expectWords, hostedService, MANDATE_STAYS, StepJourney, wordsOf } from './step-journey.js';

const ENQUIRIES = 'Enquiries stay on your credit report.';

const service = hostedService();

async function stop({ client }: StepJourney) {
  const question = await client.open('/hosted/stop');
  expect(question.heading).toBe('Stop applying?');
  expectWords(question, 'Your consent ends', 'It’s free: you owe nothing.', ENQUIRIES);
  return { question, end: await client.send303() };
}

describe('an applicant who stops', () => {
  it.each(['INITIATED', 'OFFERS_RECEIVED', 'ESIGN_PENDING'])(
    'in %s ends the journey, and every lender that was asked is notified',
    async (state) => {
      // In this state one lender must never respond, so that the journey stays there.
      const options = state === 'INITIATED' ? { pan: 'SANDX0002A' } : {};
      const journey = await StepJourney.at(state, service, options);
      const mayHaveMandate = state === 'ESIGN_PENDING';
      const step = await journey.client.open('/hosted');
      expect(step.text).toContain('href="/hosted/stop"');
      const before = await eventsOf(journey);
      const { question, end } = await stop(journey);
      expect([end.path, end.heading]).toEqual([
        '/hosted/abandoned',
        'You stopped this application',
      ]);
      expectWords(end, ENQUIRIES);
      for (const words of [wordsOf(question), wordsOf(end)]) {
        expect(words.includes(MANDATE_STAYS)).toBe(mayHaveMandate);
        expect(words.includes('Navdhara Capital Limited: 1800 000 1400')).toBe(mayHaveMandate);
      }
      await expectStopped(journey);
      const event = [before.length + 1, 'journey.abandoned'];
      expect(await eventsOf(journey)).toEqual([...before, event]);
      const { data } = (await partnerClient(service).journey(journey.start.id)).json;
      const ended = { state: 'ABANDONED', outcome: 'ABANDONED' };
      expect(data).toMatchObject({ ...ended, outcomeReason: 'CONSENT_WITHDRAWN' });
    },
  );

  it('does so once, from two phones at once, but not by the link of a step; a form from before a step was done shows where the journey is', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const link = new URL((await journey.view()).redirect!.url).pathname;
    expect((await journey.client.get(`${link}/stop`)).location).toBe(link);
    const { hidden } = formOf(await journey.client.open('/hosted/stop'));
    expect((await journey.client.post(`${link}/stop`, hidden)).status).toBe(303);
    expect((await journey.view()).state).toBe('KYC_PENDING');
    const form = journey.client.copy();
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    expect((await form.send303()).path).toBe('/hosted/bank-account');
    expect((await journey.view()).state).toBe('BANK_ACCOUNT_PENDING');
    await journey.client.open('/hosted/stop');
    const phones = [journey.client.copy(), journey.client.copy()];
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
    expect((await stop(journey)).end.path).toBe('/hosted/abandoned');
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
  expectWords(await client.open('/hosted/stop'), MANDATE_STAYS);
  const [other] = othersOf(await journey.view());
  expectWords(
    await openConfirmation(client, other),
    'It must collect nothing, but only you can end it',
  );
  await client.submit({ hasRead: '1' });
  const page = await client.open('/hosted/stop');
  expectWords(page, 'Navdhara Capital Limited: 1800 000 1400');
  expect(wordsOf(page)).not.toContain(other.lenderName);
});

it('a journey that ends in another way after the choice notifies the other lenders, too, once', async () => {
  // KYC is rejected.
  const journey = await StepJourney.at('REJECTED', service, { pan: 'SANDX0005A' });
  const withdrawals = await withdrawalsOf(journey);
  expect(withdrawals.map(({ lender, reason }) => [lender, reason])).toEqual(
    (await lendersAsked(journey)).map((code) => [code, 'ENDED']),
  );
});
