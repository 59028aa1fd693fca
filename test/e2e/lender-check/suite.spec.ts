import { describe, expect, it } from 'vitest';
import { CASES } from '../../../examples/lender-check/cases/index.ts';
import type { CaseStatus } from '../../../examples/lender-check/case.ts';
import { BROKEN_LENDERS } from '../../broken-lenders/lenders/index.js';
import { check, type StageOptions } from '../../broken-lenders/stage.js';
import { inForm } from '../../support/long-form.js';

const TIMEOUT_MS = 180_000;

/** `npm run lender:broken` runs all of them. */
const SHORT_FORM = ['decides a choice again each time'];

/** The numbers of the cases with this status. */
async function cases(status: CaseStatus, options: StageOptions): Promise<string[]> {
  const { results } = await check(options);
  return results.filter((result) => result.status === status).map(({ id }) => id);
}

it(
  'the conformance suite runs every case against the reference lender, which is restarted meanwhile, and each passes',
  async () => {
    expect(await cases('PASSED', { atRestart: '' })).toEqual(CASES.map(({ id }) => id));
  },
  TIMEOUT_MS,
);

describe.concurrent('a broken lender that', () => {
  const isOfForm = inForm({ short: (name: string) => SHORT_FORM.includes(name), long: () => true });

  it.each(BROKEN_LENDERS.filter(({ name }) => isOfForm(name)))(
    '$name fails exactly its cases',
    async (lender) => {
      const only = inForm({ short: ['RLP-001', ...lender.fails], long: [] });
      expect(await cases('FAILED', { ...lender, only })).toEqual(lender.fails);
    },
    TIMEOUT_MS,
  );
});
