import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bankBranch, requireBankFiles } from './bank-account.controller.js';

describe('an IFSC in the data of data/ifsc', () => {
  it('is known with its bank', async () => {
    expect(await bankBranch('HDFC0001234')).toMatchObject({ bank: 'HDFC Bank', isKnown: true });
  });

  it('of letters is known, too', async () => {
    expect(await bankBranch('BARB0VJRAJN')).toMatchObject({
      bank: 'Bank of Baroda',
      isKnown: true,
    });
  });

  it('that another bank uses has the name of that bank', async () => {
    expect(await bankBranch('YESB0KNUCB1')).toMatchObject({
      bank: 'Konark Urban Co-operative Bank',
      isKnown: true,
    });
  });

  it('of an unknown branch has its bank alone', async () => {
    expect(await bankBranch('HDFC0ZZZZZZ')).toEqual({
      ifsc: 'HDFC0ZZZZZZ',
      bank: 'HDFC Bank',
      isKnown: false,
      branch: '',
      place: '',
    });
  });

  it('of an unknown bank has nothing', async () => {
    expect(await bankBranch('ZZZZ0000001')).toMatchObject({ bank: '', isKnown: false });
  });

  it.each(['../../package', 'HDFC/001234', 'hdfc0001234', 'HDFC00012345', ''])(
    'of another shape opens no file: %j',
    async (text) => {
      await expect(bankBranch(text)).rejects.toThrow(RangeError);
    },
  );
});

describe('a release without the files of the banks', () => {
  it('does not start', async () => {
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
