import { describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { type TestJourney, refusal, journeyBench } from './journey-bench.js';

const REFUSED = '123456780000';

const bench = journeyBench({ isOneLender: true });

async function atTheStep(): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo('BANK_ACCOUNT_PENDING');
  return journey;
}

it('200: a bank account is taken, and the lender gets it as it was understood', async () => {
  const journey = await atTheStep();
  const verify = vi.spyOn(bench.service.get(SandboxLender), 'verifyAccount');
  const bad = await journey.submitAccount({ accNo: '12345678' });
  expect([bad.status, bad.json.code]).toEqual([400, 'validation_failed']);
  expect(bad.json.details).toEqual([
    { field: 'payload.accNo', message: 'must be an account number of 9 to 18 digits' },
  ]);
  const answer = await journey.submitAccount({ acctype: ' Saving ', ifscCode: ' hdfc0001abc ' });
  expect(answer.status).toBe(200);
  expect(answer.json.data.nextAction).toMatchObject({ type: 'REDIRECT_TO_MANDATE' });
  const account = { ...BANK_ACCOUNT, acctype: 'SAVINGS', ifscCode: 'HDFC0001ABC' };
  expect(verify.mock.calls.map(([request]) => request.account)).toEqual([account]);
  expect((await journey.read()).state).toBe('MANDATE_PENDING');
});

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
  const after = await journey.read();
  expect([after.state, after.outcomeReason]).toEqual(['REJECTED', 'BANK_ACCOUNT_FAILED']);
  expect((await journey.eventNames()).at(-1)).toBe('journey.rejected');
  expect((await journey.submitAccount()).status).toBe(409);
});

describe('the tries of a step', () => {
  /** The provider reports each try as failed. */
  async function failTwice(journey: TestJourney, kind: 'KYC' | 'MANDATE'): Promise<void> {
    for (let time = 1; time <= 2; time += 1) {
      const reference = await journey.redirectId(kind);
      await bench.deliverTo(journey.id, { kind: 'FAILED', reason: 'TEST' }, { kind, reference });
    }
    expect((await journey.read()).currentNextAction.type).toBe(`REDIRECT_TO_${kind}`);
  }

  it('are each step’s own: two that failed in the step before take none away', async () => {
    const journey = await bench.startWithOffers();
    expect((await journey.submitAccount()).json.code).toBe('wrong_step');
    await journey.goOnTo('KYC_PENDING');
    await failTwice(journey, 'KYC');
    await journey.goOnTo('BANK_ACCOUNT_PENDING');
    for (let time = 1; time <= 2; time += 1) {
      expect((await journey.submitAccount({ accNo: REFUSED })).status).toBe(400);
    }
    expect((await journey.submitAccount()).status).toBe(200);
    expect((await journey.submitAccount()).json.code).toBe('wrong_step');
    await failTwice(journey, 'MANDATE');
    expect((await journey.complete()).outcome).toBe('SANCTIONED');
  });
});

describe('503: the lender cannot look at the account', () => {
  it('changes nothing, counts as no try, and is the same question when it is sent in again', async () => {
    const journey = await atTheStep();
    const verify = vi.spyOn(bench.service.get(SandboxLender), 'verifyAccount');
    for (const accNo of ['123456789', BANK_ACCOUNT.accNo, BANK_ACCOUNT.accNo]) {
      verify.mockRejectedValueOnce(new LenderUnavailable('still deciding'));
      expect(refusal(await journey.submitAccount({ accNo }))).toEqual([503, 'lender_unavailable']);
    }
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
    expect((await journey.submitAccount()).status).toBe(200);
    const [other, ...same] = verify.mock.calls.map(([request]) => request.idempotencyKey);
    expect(new Set(same).size).toBe(1);
    expect(same).not.toContain(other);
  });
});
