import { expect, it } from 'vitest';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { StepJourney } from '../hosted-steps/step-journey.js';
import { refusal, journeyBench } from './journey-bench.js';

const WAIT = { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };

const bench = journeyBench({ isOneLender: true });

async function read(id: string) {
  return (await bench.demo.journey(id)).json.data;
}

it('a hosted journey shows the partner, without a session, that it waits until it is over, and is not the partner’s to drive', async () => {
  const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service);
  const { id } = journey.start;
  const { offers, currentNextAction } = await read(id);
  expect(currentNextAction).toEqual(WAIT);
  for (const [kind, payload] of [
    ['SELECT_OFFER', { offerId: offers[0].offerId }],
    ['SELECT_GOLD_LOAN_BRANCH', { branchLocationId: 'brn_1' }],
    ['SUBMIT_BANK_ACCOUNT', BANK_ACCOUNT],
  ] as const) {
    const answer = await bench.demo.action(id, undefined, kind, payload);
    expect(refusal(answer)).toEqual([409, 'hosted_journey']);
  }
  // The lender may pay out before the test reads the state.
  for (const [step, next] of [
    ['KYC', ['BANK_ACCOUNT_PENDING']],
    ['MANDATE', ['ESIGN_PENDING']],
    ['ESIGN', ['DISBURSEMENT_PENDING', 'SANCTIONED']],
  ] as const) {
    await journey.driveTo(`${step}_PENDING`);
    expect((await read(id)).currentNextAction).toEqual(WAIT);
    const { status, json } = await bench.demo.returned(id, undefined, step);
    expect([status, json.data.nextAction]).toEqual([200, WAIT]);
    expect(next).toContain((await read(id)).state);
    for (const other of ['KYC', 'MANDATE']) {
      const answer = await bench.demo.returned(id, undefined, other);
      expect(refusal(answer)).toEqual([409, 'wrong_step']);
    }
  }
  await journey.reaches('SANCTIONED');
  const over = { type: 'JOURNEY_COMPLETED', category: 'DONE' };
  expect((await read(id)).currentNextAction).toEqual(over);
});
