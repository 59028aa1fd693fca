import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { readAction } from './action-body.dto.js';

const INTERNAL = {
  shownKeyFacts: { hash: 'f'.repeat(64), issuedAt: '2020-01-01T00:00:00.000Z', language: 'en' },
  insteadOf: { offerId: 'off_2', unsigned: null },
  told: { quoted: {}, draft: {} },
};

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
    const account = {
      accHolderName: 'Asha Verma',
      acctype: 'SAVINGS',
      accNo: '123456789012',
      ifscCode: 'HDFC0001234',
    };
    expect(
      readAction({ kind: 'SELECT_GOLD_LOAN_BRANCH', payload: { ...branch, ...INTERNAL } }),
    ).toEqual(branch);
    expect(
      readAction({ kind: 'SUBMIT_BANK_ACCOUNT', payload: { ...account, ...INTERNAL } }),
    ).toEqual(account);
  });
});
