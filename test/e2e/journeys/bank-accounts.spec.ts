import { expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { type TestJourney, refusal, journeyBench } from './journey-bench.js';

const REFUSED = '123456780000';

const bench = journeyBench({ isOneLender: true });

async function atTheStep(): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo('BANK_ACCOUNT_PENDING');
  return journey;
}

it('an account that the bank refuses is a 400 with details twice, and the end of the journey the third time', async () => {
  const journey = await atTheStep();
  for (let time = 1; time <= 2; time += 1) {
    const { status, json } = await journey.submitAccount({ accNo: REFUSED });
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.details).toEqual([
      {
        field: 'payload.accNo',
        message: 'must be an account that the bank accepts payments to; check it and try again',
      },
    ]);
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
  }
  const last = await journey.submitAccount({ accNo: REFUSED });
  expect(last.status).toBe(200);
  expect(last.json.data.nextAction).toEqual({ type: 'JOURNEY_REJECTED', category: 'DONE' });
  expect(await journey.read()).toMatchObject({
    state: 'REJECTED',
    outcomeReason: 'BANK_ACCOUNT_FAILED',
  });
  expect((await journey.eventNames()).at(-1)).toBe('journey.rejected');
});

it('the tries of a step are each step’s own: two that failed in the step before take none away', async () => {
  const journey = await bench.startWithOffers();
  expect((await journey.submitAccount()).json.code).toBe('wrong_step');
  await journey.goOnTo('KYC_PENDING');
  for (let time = 1; time <= 2; time += 1) {
    const about = { kind: 'KYC', reference: await journey.redirectId('KYC') } as const;
    await bench.deliverTo(journey.id, { kind: 'FAILED', reason: 'TEST' }, about);
  }
  await journey.goOnTo('BANK_ACCOUNT_PENDING');
  for (let time = 1; time <= 2; time += 1) {
    expect((await journey.submitAccount({ accNo: REFUSED })).status).toBe(400);
  }
  expect((await journey.submitAccount()).status).toBe(200);
  expect((await journey.submitAccount()).json.code).toBe('wrong_step');
});

it('a refusal names the step that the journey’s answer shows, also when every offer has expired', async () => {
  const journey = await bench.startWithOffers();
  await bench.query('UPDATE journey_offers SET valid_until = app_now() WHERE journey_id = $1', [
    journey.id,
  ]);
  const { json } = await journey.submitAccount();
  const { state, currentNextAction } = await journey.read();
  expect(state).toBe('INITIATED');
  const named = { state, nextAction: currentNextAction.type };
  expect(json).toMatchObject({ code: 'wrong_step', journey: named });
});

it('503: a lender that cannot look at the account changes nothing; it counts as no try, and is the same question, with the account as it was understood, when it is sent in again', async () => {
  const journey = await atTheStep();
  const verify = vi.spyOn(bench.lender, 'verifyAccount');
  for (const accNo of ['123456789', BANK_ACCOUNT.accNo, BANK_ACCOUNT.accNo]) {
    verify.mockRejectedValueOnce(new LenderUnavailable('still deciding'));
    expect(refusal(await journey.submitAccount({ accNo }))).toEqual([503, 'lender_unavailable']);
  }
  expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
  const sent = await journey.submitAccount({ acctype: ' Saving ', ifscCode: ' hdfc0001234 ' });
  expect(sent.json.data.nextAction).toMatchObject({ type: 'REDIRECT_TO_MANDATE' });
  const [[other], ...same] = verify.mock.calls;
  for (const [request] of same) expect(request.account).toEqual(BANK_ACCOUNT);
  const keys = new Set(same.map(([request]) => request.idempotencyKey));
  expect([keys.size, keys.has(other.idempotencyKey)]).toEqual([1, false]);
});
