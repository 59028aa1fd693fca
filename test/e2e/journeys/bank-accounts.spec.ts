import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BankAccount, LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { JourneyBench, type TestJourney } from './journey-bench.js';

const REFUSED = '123456780000';
const REFUSED_FOR_GOOD = '123456789999';

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

async function atTheStep(productCode = 'ONLINE_PERSONAL'): Promise<TestJourney> {
  const journey = await bench.startWithOffers({ productCode });
  await journey.goOnTo('BANK_ACCOUNT_PENDING');
  return journey;
}

describe('200: a bank account is taken', () => {
  it.each([
    [' Saving ', 'SAVINGS'],
    ['sb', 'SAVINGS'],
    ['current', 'CURRENT'],
    ['CA', 'CURRENT'],
  ])('with the account type %j, which the lender hears as %s', async (acctype, heard) => {
    const journey = await atTheStep();
    const verify = vi.spyOn(bench.service.get(SandboxLender), 'verifyAccount');
    const answer = await journey.submitAccount({ acctype, ifscCode: ' hdfc0001abc ' });
    expect(answer.status).toBe(200);
    expect(answer.json.data.nextAction).toMatchObject({ type: 'REDIRECT_TO_MANDATE' });
    const account: BankAccount = {
      ...BANK_ACCOUNT,
      acctype: heard as BankAccount['acctype'],
      ifscCode: 'HDFC0001ABC',
    };
    expect(verify.mock.calls.map(([request]) => request.account)).toEqual([account]);
    expect((await journey.read()).state).toBe('MANDATE_PENDING');
  });

  it('goes on to the signature where there is no mandate', async () => {
    const journey = await atTheStep('ONLINE_GOLD');
    const { json } = await journey.submitAccount();
    expect(json.data.nextAction.type).toBe('REDIRECT_TO_ESIGN');
  });

  it.each(['123456789', '012345678901234561'])('takes %s, of 9 to 18 digits', async (accNo) => {
    const journey = await atTheStep();
    expect((await journey.submitAccount({ accNo })).status).toBe(200);
  });
});

describe('400: a payload that breaks a rule', () => {
  let journey: TestJourney;

  beforeAll(async () => {
    journey = await atTheStep();
  });

  afterAll(async () => {
    // A malformed account is no try: after any number of them the journey goes on.
    expect((await journey.submitAccount()).status).toBe(200);
  });

  it.each([
    [{ acctype: 'constructor' }, 'acctype', 'must be one of SAVINGS, CURRENT'],
    [{ acctype: undefined }, 'acctype', 'is missing; it must be one of SAVINGS, CURRENT'],
    [{ accNo: '12345678' }, 'accNo', 'must be an account number of 9 to 18 digits'],
    [
      { accNo: 123_456_789_012 },
      'accNo',
      'must be an account number of 9 to 18 digits, as text, not a number',
    ],
    [{ accNo: '12345678O12' }, 'accNo', 'must be an account number of 9 to 18 digits'],
    [
      { ifscCode: 'HDFC1001234' },
      'ifscCode',
      'must be an IFSC: four letters, a zero, then six letters or digits',
    ],
    [
      { accHolderName: 'x'.repeat(201) },
      'accHolderName',
      'must be a name of 1 to 200 characters with at least one letter, without control characters or more than three combining marks in a row',
    ],
  ])('with %j', async (more, field, message) => {
    const { status, json } = await journey.submitAccount(more);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.details).toEqual([{ field: `payload.${field}`, message }]);
  });

  it('names all its bad fields', async () => {
    const { json } = await journey.act('SUBMIT_BANK_ACCOUNT', {});
    expect(json.details.map(({ field }) => field).toSorted()).toEqual([
      'payload.accHolderName',
      'payload.accNo',
      'payload.acctype',
      'payload.ifscCode',
    ]);
  });
});

describe('an account that the bank refuses', () => {
  it('is a 400 with details twice, and the end of the journey the third time', async () => {
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
    expect(after).toMatchObject({
      state: 'REJECTED',
      outcome: 'REJECTED',
      outcomeReason: 'BANK_ACCOUNT_FAILED',
    });
    expect((await journey.eventNames()).at(-1)).toBe('journey.rejected');
    expect((await journey.submitAccount()).status).toBe(409);
  });

  it('ends the journey at once when it is refused for good', async () => {
    const journey = await atTheStep();
    const { status, json } = await journey.submitAccount({ accNo: REFUSED_FOR_GOOD });
    expect(status).toBe(200);
    expect(json.data.nextAction).toEqual({ type: 'JOURNEY_REJECTED', category: 'DONE' });
    const after = await journey.read();
    expect([after.state, after.outcomeReason]).toEqual(['REJECTED', 'BANK_ACCOUNT_FAILED']);
  });
});

describe('the tries of a step', () => {
  /** The provider says of each try that it has failed. */
  async function failTwice(journey: TestJourney, kind: 'KYC' | 'MANDATE'): Promise<void> {
    for (let time = 1; time <= 2; time += 1) {
      const reference = await journey.redirectId(kind);
      await bench.deliverTo(journey.id, { kind: 'FAILED', reason: 'TEST' }, { kind, reference });
    }
    expect((await journey.read()).currentNextAction.type).toBe(`REDIRECT_TO_${kind}`);
  }

  it('are each step’s own: two that failed in the step before take none away', async () => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    await failTwice(journey, 'KYC');
    await journey.goOnTo('BANK_ACCOUNT_PENDING');
    for (let time = 1; time <= 2; time += 1) {
      expect((await journey.submitAccount({ accNo: REFUSED })).status).toBe(400);
    }
    expect((await journey.submitAccount()).status).toBe(200);
    await failTwice(journey, 'MANDATE');
    expect((await journey.complete()).outcome).toBe('SANCTIONED');
  });
});

describe('503: the lender cannot look at the account', () => {
  it('changes nothing and counts as no try', async () => {
    const journey = await atTheStep();
    const verify = vi.spyOn(bench.service.get(SandboxLender), 'verifyAccount');
    for (let time = 1; time <= 3; time += 1) {
      verify.mockRejectedValueOnce(new LenderUnavailable('down'));
      const { status, json } = await journey.submitAccount();
      expect([status, json.code]).toEqual([503, 'lender_unavailable']);
    }
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
    expect((await journey.submitAccount()).status).toBe(200);
  });

  it('is the same question when it is sent in again, and another one of another account', async () => {
    const journey = await atTheStep();
    const verify = vi.spyOn(bench.service.get(SandboxLender), 'verifyAccount');
    verify.mockRejectedValueOnce(new LenderUnavailable('still deciding'));
    verify.mockRejectedValueOnce(new LenderUnavailable('still deciding'));
    await journey.submitAccount({ accNo: '123456789' });
    await journey.submitAccount();
    expect((await journey.submitAccount()).status).toBe(200);
    const [other, first, second] = verify.mock.calls.map(([request]) => request.idempotencyKey);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('409: at the wrong step', () => {
  it('is the answer before and after', async () => {
    const journey = await bench.startWithOffers();
    expect((await journey.submitAccount()).json.code).toBe('wrong_step');
    await journey.goOnTo('MANDATE_PENDING');
    const { status, json } = await journey.submitAccount();
    expect([status, json.code]).toEqual([409, 'wrong_step']);
  });
});
