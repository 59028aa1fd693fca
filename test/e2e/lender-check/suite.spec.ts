import { describe, expect, it } from 'vitest';
import { CASES } from '../../../examples/lender-check/cases/index.ts';
import { cases } from '../../broken-lenders/broken-run.js';
import { BROKEN_LENDERS } from '../../broken-lenders/lenders/index.js';
import { check } from '../../broken-lenders/stage.js';
import { inForm } from '../../support/long-form.js';

const TIMEOUT_MS = 180_000;

const SHORT_FORM = ['decides a choice again each time'];

/** One lender of each kind of fault; `npm run lender:broken` has them all. */
const LONG_FORM = [
  ...SHORT_FORM,
  'binds its answers to its own ids',
  'publishes its private key',
  'takes a jti as often as it comes',
  'remembers a jti for five seconds',
  'passes steps that no applicant visited',
  'pays out what was not chosen',
  'tells another answer than it gives',
  'forgets at a restart what it answered',
];

describe('the conformance suite', () => {
  it(
    'runs every case against the reference lender, which is restarted meanwhile, and each passes',
    async () => {
      const outcome = await check({ atRestart: '' });
      const other = outcome.results.filter(({ status }) => status !== 'PASSED');
      expect(other).toEqual([]);
      expect(outcome.results).toHaveLength(CASES.length);
    },
    TIMEOUT_MS,
  );
});

describe.concurrent('a broken lender that', () => {
  const names = inForm({ short: SHORT_FORM, long: LONG_FORM });
  const lenders = BROKEN_LENDERS.filter(({ name }) => names.includes(name));

  it.each(lenders)(
    '$name fails exactly its cases',
    async (lender) => {
      const only = inForm({ short: ['RLP-001', ...lender.fails], long: [] });
      expect(cases(await check({ ...lender, only }), 'FAILED')).toEqual(lender.fails);
    },
    TIMEOUT_MS,
  );
});

describe('the list of broken lenders', () => {
  it('has those of both forms', () => {
    const names = BROKEN_LENDERS.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(LONG_FORM));
    expect(new Set(names).size).toBe(names.length);
  });
});
