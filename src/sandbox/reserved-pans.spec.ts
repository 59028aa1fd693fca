import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageDecision, sandboxOutcome, simulatedVerdict } from './reserved-pans.js';

const ORDINARY = 'ABCDE1234F';
const STEPS = ['KYC', 'MANDATE', 'ESIGN'] as const;

describe('a reserved PAN', () => {
  it.each([
    ['SANDX0001A', 'EVERY_LENDER_DECLINES'],
    ['SANDX0002B', 'SLOW_LENDERS'],
    ['SANDX0003C', 'ONE_OFFER'],
    ['SANDX0004D', 'KYC_FAILS_ONCE'],
    ['SANDX0005E', 'KYC_REFUSED'],
    ['SANDX0006F', 'MANDATE_FAILS_ONCE'],
    ['SANDX0007G', 'ESIGN_REFUSED'],
    ['SANDX0008H', 'SLOW_DISBURSEMENT'],
    ['SANDX0009I', 'LENDERS_FAIL_TWICE'],
    ['SANDX0010J', 'PAYMENT_FAILS'],
    ['SANDX0011Z', 'SMS_DOWN'],
    ['SANDX0012A', 'SLOW_PROVIDERS'],
    ['SANDX0013K', 'DECISION_DECLINED'],
  ])('%s chooses %s', (pan, outcome) => {
    expect(sandboxOutcome(pan)).toBe(outcome);
  });

  it('chooses the same whatever its last letter', () => {
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
      expect(sandboxOutcome(`SANDX0001${letter}`)).toBe('EVERY_LENDER_DECLINES');
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

  it.each(STEPS)(
    'on %s passes for an ordinary applicant who approves or was never seen',
    (step) => {
      expect(simulatedVerdict(ORDINARY, step, 1, 'approve')).toBe('PASSED');
      expect(simulatedVerdict(ORDINARY, step, 1, null)).toBe('PASSED');
    },
  );

  it.each(STEPS)('on %s fails for one who declines, each time', (step) => {
    for (const attempt of [1, 2, 3]) {
      expect(simulatedVerdict(ORDINARY, step, attempt, 'decline')).toBe('FAILED');
    }
  });

  it('is open for whoever left the page, whatever the PAN', () => {
    fc.assert(
      fc.property(pans, fc.constantFrom(...STEPS), fc.nat(5), (pan, step, attempt) => {
        expect(simulatedVerdict(pan, step, attempt, 'leave')).toBe('UNDECIDED');
      }),
    );
  });

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
    const special = new Set(['SANDX0004A KYC', 'SANDX0005A KYC', 'SANDX0006A MANDATE']);
    special.add('SANDX0007A ESIGN');
    fc.assert(
      fc.property(pans, fc.constantFrom(...STEPS), decisions, (pan, step, decision) => {
        fc.pre(!special.has(`${pan} ${step}`));
        const expected = { approve: 'PASSED', decline: 'FAILED', leave: 'UNDECIDED' };
        const verdict = simulatedVerdict(pan, step, 1, decision);
        expect(verdict).toBe(decision === null ? 'PASSED' : expected[decision]);
      }),
    );
  });
});
