import { expect, it } from 'vitest';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { confirmed, startHosted } from '../../support/hosted-client.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { StepJourney } from '../hosted-steps/step-journey.js';
import { HOUR, refusal, journeyBench } from './journey-bench.js';

const WAIT = { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };

const bench = journeyBench({ isOneLender: true });

async function read(id: string) {
  return (await bench.demo.journey(id)).json.data;
}

it('no lender of a hosted journey is asked, and no deadline runs, before the applicant confirms', async () => {
  const start = await startHosted(bench.service);
  await bench.service.travel(3 * HOUR);
  await bench.service.get(OfferDeadlinesTasks).run();
  expect(await read(start.id)).toMatchObject({ state: 'INITIATED', currentNextAction: WAIT });
  const asked = () =>
    bench.query('SELECT 1 FROM lender_questions WHERE subject_id = $1', [start.id]);
  expect(await asked()).toEqual([]);
  await confirmed(bench.service, start);
  expect(await asked()).toHaveLength(1);
});

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
  // A lender may pay out before the state is looked at.
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
  const events = await bench.query<{ body: string }>(
    'SELECT body FROM webhook_events WHERE journey_id = $1 ORDER BY sequence',
    [id],
  );
  const told = events.map(({ body }) => JSON.parse(body).data.nextAction.type as string);
  expect(told).toEqual([...Array<string>(6).fill(WAIT.type), over.type]);
});
