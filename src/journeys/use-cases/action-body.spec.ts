import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import type { ActionKind } from '../../journey-steps/index.js';
import { Fault } from '../../platform/index.js';
import { readAction } from './action-body.dto.js';

const INTERNAL = {
  shownKeyFacts: { hash: 'f'.repeat(64), issuedAt: '2020-01-01T00:00:00.000Z', language: 'en' },
  insteadOf: { offerId: 'off_2', unsigned: null },
  sentChoice: { quoted: {}, draft: {} },
};

const ACCOUNT = {
  accHolderName: 'Asha Verma',
  acctype: 'SAVINGS',
  accNo: '123456789012',
  ifscCode: 'HDFC0001234',
};

const accountOf = (payload: object) => readAction({ kind: 'SUBMIT_BANK_ACCOUNT', payload });

function problemsOf(payload: object, kind: ActionKind = 'SUBMIT_BANK_ACCOUNT'): unknown {
  try {
    return readAction({ kind, payload });
  } catch (error) {
    return error instanceof Fault && [error.code, error.details];
  }
}

describe('a bank account', () => {
  it.each([
    [{ acctype: ' Saving ' }, { acctype: 'SAVINGS' }],
    [{ acctype: 'sb' }, { acctype: 'SAVINGS' }],
    [{ acctype: 'current' }, { acctype: 'CURRENT' }],
    [{ acctype: 'CA' }, { acctype: 'CURRENT' }],
    [{ ifscCode: ' hdfc0001abc ' }, { ifscCode: 'HDFC0001ABC' }],
    [{ accNo: '123456789' }, {}],
    [{ accNo: '012345678901234561' }, {}],
  ])('with %j is read as %j', (sent, read) => {
    expect(accountOf({ ...ACCOUNT, ...sent })).toEqual({ ...ACCOUNT, ...sent, ...read });
  });

  const NUMBER = 'must be an account number of 9 to 18 digits';

  it.each([
    [{ acctype: 'constructor' }, 'acctype', 'must be one of SAVINGS, CURRENT'],
    [{ acctype: undefined }, 'acctype', 'is missing; it must be one of SAVINGS, CURRENT'],
    [{ accNo: '12345678' }, 'accNo', NUMBER],
    [{ accNo: '0123456789012345678' }, 'accNo', NUMBER],
    [{ accNo: 123_456_789_012 }, 'accNo', `${NUMBER}, as text, not a number`],
    [{ accNo: '12345678O12' }, 'accNo', NUMBER],
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
  ])('with %j is refused', (more, field, message) => {
    const details = [{ field: `payload.${field}`, message }];
    expect(problemsOf({ ...ACCOUNT, ...more })).toEqual(['validation_failed', details]);
  });

  it('that is empty has all its fields named', () => {
    const [, details] = problemsOf({}) as [string, { field: string }[]];
    const fields = details.map(({ field }) => field);
    expect(fields.toSorted()).toEqual(
      ['accHolderName', 'accNo', 'acctype', 'ifscCode'].map((field) => `payload.${field}`),
    );
  });
});

it.each([
  [{ offerId: '' }, 'offerId'],
  [{ offerId: 'off_1', loanAmount: '100000' }, 'loanAmount'],
  [{ offerId: 'off_1', loanAmount: 1_000.001 }, 'loanAmount'],
])('the choice of an offer with %j is refused', (payload, field) => {
  const details = [expect.objectContaining({ field: `payload.${field}` })] as unknown[];
  expect(problemsOf(payload, 'SELECT_OFFER')).toEqual(['validation_failed', details]);
});

describe('the intent of an action of a partner', () => {
  it('has the public fields of a choice and drops what only our screens and the store add', () => {
    const payload = { offerId: 'off_1', loanAmount: 150_000, ...INTERNAL };
    expect(readAction({ kind: 'SELECT_OFFER', payload })).toEqual({
      offerId: 'off_1',
      loanAmount: 150_000,
    });
  });

  it('has the public fields of a branch and of an account and drops all others', () => {
    const branch = { offerId: 'off_1', branchLocationId: 'brn_1' };
    expect(
      readAction({ kind: 'SELECT_GOLD_LOAN_BRANCH', payload: { ...branch, ...INTERNAL } }),
    ).toEqual(branch);
    expect(accountOf({ ...ACCOUNT, ...INTERNAL })).toEqual(ACCOUNT);
  });
});
