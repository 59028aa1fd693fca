import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { readForm } from '../../platform/index.js';
import { BankAccountForm, bankBranch, requireBankFiles } from './bank-account.controller.js';

describe('an IFSC in the data of data/ifsc', () => {
  it.each([
    ['HDFC0001234', 'HDFC Bank', true],
    ['BARB0VJRAJN', 'Bank of Baroda', true],
    // Another bank uses it.
    ['YESB0KNUCB1', 'Konark Urban Co-operative Bank', true],
    ['HDFC0ZZZZZZ', 'HDFC Bank', false],
    ['ZZZZ0000001', '', false],
  ])('%s is of the bank %j, and its branch is known: %s', async (ifsc, bank, isKnown) => {
    expect(await bankBranch(ifsc)).toMatchObject({ ifsc, bank, isKnown });
  });

  it.each(['../../package', 'HDFC/001234', 'hdfc0001234', 'HDFC00012345', ''])(
    'of another shape opens no file: %j',
    async (text) => {
      await expect(bankBranch(text)).rejects.toThrow(RangeError);
    },
  );

  it('is needed for the service to start', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'banks-'));
    try {
      await expect(requireBankFiles(empty)).rejects.toThrow('no bank is in data/ifsc');
      await expect(requireBankFiles(join(empty, 'none'))).rejects.toThrow('no bank is in');
      await expect(requireBankFiles()).resolves.toBeUndefined();
    } finally {
      rmSync(empty, { recursive: true });
    }
  });
});

describe('the form of a bank account', () => {
  const TYPED = {
    accHolderName: 'Asha Verma',
    acctype: 'SAVINGS',
    accNo: '1234 5678 9012',
    accNoAgain: '123456789012',
    ifscCode: 'hdfc0001234',
  };

  function errorsOf(fields: Partial<typeof TYPED>): [string, string][] {
    const rawBody = Buffer.from(new URLSearchParams({ ...TYPED, ...fields }).toString());
    const { errors } = readForm({ rawBody } as unknown as Request, BankAccountForm);
    return errors.map(({ field, messageKey }) => [field, messageKey]);
  }

  it.each<[Partial<typeof TYPED>, string]>([
    [{ accHolderName: ' ' }, 'holder.missing'],
    [{ acctype: 'GOLD' }, 'type.missing'],
    [{ accNo: '' }, 'number.wrong'],
    [{ accNo: '12345678' }, 'number.wrong'],
    [{ accNo: '12345678901234567890' }, 'number.wrong'],
    [{ accNoAgain: '' }, 'again.wrong'],
    [{ accNoAgain: '123456789013' }, 'again.wrong'],
    [{ ifscCode: '' }, 'ifsc.wrong'],
    [{ ifscCode: 'HDFC1001234' }, 'ifsc.wrong'],
  ])('typed with %j is refused as %s', (fields, message) => {
    expect(errorsOf({})).toEqual([]);
    const [field] = Object.keys(fields);
    expect(errorsOf(fields)).toContainEqual([field, `steps.account.${message}`]);
  });
});
