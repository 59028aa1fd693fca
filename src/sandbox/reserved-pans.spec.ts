import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PageDecision,
  RESERVED_PANS,
  sandboxOutcome,
  simulatedVerdict,
} from './reserved-pans.js';

const ORDINARY = 'ABCDE1234F';
const STEPS = ['KYC', 'MANDATE', 'ESIGN'] as const;

describe('a reserved PAN', () => {
  it('is in the list, and each of the list has its outcome', () => {
    const every = Array.from({ length: 10_000 }, (_, n) => `SANDX${String(n).padStart(4, '0')}A`);
    const reserved = every.filter((pan) => sandboxOutcome(pan) !== null);
    expect(RESERVED_PANS.map(({ pan }) => pan)).toEqual(reserved);
  });

  it.each([
    [1, 'EVERY_LENDER_DECLINES'],
    [2, 'SLOW_LENDERS'],
    [3, 'ONE_OFFER'],
    [4, 'KYC_FAILS_ONCE'],
    [5, 'KYC_REFUSED'],
    [6, 'MANDATE_FAILS_ONCE'],
    [7, 'ESIGN_REFUSED'],
    [8, 'SLOW_DISBURSEMENT'],
    [9, 'LENDERS_FAIL_TWICE'],
    [10, 'PAYMENT_FAILS'],
    [11, 'SMS_DOWN'],
    [12, 'SLOW_PROVIDERS'],
    [13, 'DECISION_DECLINED'],
  ])('%i chooses %s, whatever its last letter', (number, outcome) => {
    for (const letter of 'AKZ') {
      expect(sandboxOutcome(`SANDX${String(number).padStart(4, '0')}${letter}`)).toBe(outcome);
    }
  });

  it.each(['SANDX0000A', 'SANDX0014A', 'SANDX9999A', 'SANDY0001A', ORDINARY, 'XSANDX0001A', ''])(
    'is not %j: everything passes',
    (pan) => {
      expect(sandboxOutcome(pan)).toBeNull();
    },
  );
});

describe('the simulated verdict', () => {
  const decisions = fc.constantFrom<PageDecision | null>('approve', 'decline', 'leave', null);
  const reserved = fc
    .integer({ min: 0, max: 12 })
    .map((n) => `SANDX${String(n).padStart(4, '0')}A`);
  const pans = fc.oneof(fc.constant(ORDINARY), reserved);

  it.each([
    ['SANDX0004A', 'KYC', 1, 'FAILED'],
    ['SANDX0004A', 'KYC', 2, 'PASSED'],
    ['SANDX0006A', 'MANDATE', 1, 'FAILED'],
    ['SANDX0006A', 'MANDATE', 2, 'PASSED'],
    ['SANDX0005A', 'KYC', 1, 'REFUSED'],
    ['SANDX0005A', 'KYC', 2, 'REFUSED'],
    ['SANDX0007A', 'ESIGN', 1, 'REFUSED'],
  ] as const)('of %s on %s at try %i is %s, page or no page', (pan, step, attempt, verdict) => {
    for (const decision of ['approve', null] as const) {
      expect(simulatedVerdict(pan, step, attempt, decision)).toBe(verdict);
    }
  });

  it('is what the applicant chose wherever the PAN does not say otherwise', () => {
    const special = /SANDX000(?:[45]A KYC|6A MANDATE|7A ESIGN)/;
    const steps = fc.constantFrom(...STEPS);
    fc.assert(
      fc.property(pans, steps, fc.nat(3), decisions, (pan, step, attempt, decision) => {
        fc.pre(decision === 'leave' || !special.test(`${pan} ${step}`));
        const expected = { approve: 'PASSED', decline: 'FAILED', leave: 'UNDECIDED' };
        const verdict = simulatedVerdict(pan, step, attempt, decision);
        expect(verdict).toBe(decision === null ? 'PASSED' : expected[decision]);
      }),
    );
  });
});
