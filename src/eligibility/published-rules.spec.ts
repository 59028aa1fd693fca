import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EligibilityQuestion } from '../lenders/index.js';
import type { EligibilityRules } from '../settings/index.js';
import { judge, withoutContradiction } from './published-rules.js';

const QUESTION: EligibilityQuestion = {
  productCode: 'ONLINE_PERSONAL',
  loanAmount: 200_000_00,
  pinCode: '560001',
  employmentType: 'salaried',
  monthlyIncome: 30_000_00,
};
const TERMS = {
  minimumAmount: 10_000_00,
  maximumAmount: 500_000_00,
  annualRatePercent: 12,
  tenureMonths: 24,
};
const RULES: EligibilityRules = {
  minimumMonthlyIncome: 30_000_00,
  maximumMonthlyIncomes: 10,
  employmentTypes: ['salaried'],
  pinPrefixes: ['40', '56'],
  annualRatePercent: { minimum: 11, maximum: 24 },
};

const byRules = (question: Partial<EligibilityQuestion>, rules = RULES) =>
  judge({ ...QUESTION, ...question }, { ...TERMS, eligibility: rules });

describe('a lender’s published rules', () => {
  it('leave it unknown where there are none', () => {
    expect(judge(QUESTION, TERMS)).toEqual({ verdict: 'UNKNOWN' });
  });

  it('find an offer likely at their exact limits, with the ranges of the income', () => {
    expect(byRules({ loanAmount: 300_000_00 })).toEqual({
      verdict: 'LIKELY',
      amount: { min: 10_000_00, max: 300_000_00 },
      annualRatePercent: { min: 11, max: 24 },
      tenureMonths: { min: 24, max: 24 },
    });
  });

  it.each<[string, Partial<EligibilityQuestion>, string[]]>([
    ['an amount above the multiple of the income', { loanAmount: 300_000_01 }, ['AMOUNT']],
    ['an amount above the terms', { loanAmount: 500_000_01, monthlyIncome: 9e9 }, ['AMOUNT']],
    ['an amount below the terms', { loanAmount: 9_999_99 }, ['AMOUNT']],
    ['an income below the least', { monthlyIncome: 29_999_99 }, ['INCOME']],
    ['another employment', { employmentType: 'selfEmployed' }, ['EMPLOYMENT']],
    ['a PIN code elsewhere', { pinCode: '156001' }, ['LOCATION']],
    [
      'two conditions',
      { pinCode: '110001', monthlyIncome: 1_00 },
      ['AMOUNT', 'INCOME', 'LOCATION'],
    ],
  ])('find it unlikely for %s, and name each condition', (_, question, reasons) => {
    expect(byRules(question)).toMatchObject({ verdict: 'UNLIKELY', reasons });
  });

  it('count multiples of the income exactly', () => {
    const rules = { maximumMonthlyIncomes: 1.15 };
    const asked = { monthlyIncome: 13_500_00, loanAmount: 15_525_00 };
    expect(byRules(asked, rules)).toMatchObject({
      verdict: 'LIKELY',
      amount: { max: 1_552_500 },
    });
  });

  it('name no range of amounts where none is likely', () => {
    expect(byRules({ monthlyIncome: 999_99 })).not.toHaveProperty('amount');
  });

  it('set no condition in a field that is left out', () => {
    const anyone = fc.record({
      pinCode: fc.stringMatching(/^[1-9]\d{5}$/),
      employmentType: fc.constantFrom<EligibilityQuestion['employmentType']>(
        'salaried',
        'selfEmployed',
      ),
      monthlyIncome: fc.integer({ min: 1, max: 1e15 }),
      loanAmount: fc.integer({ min: TERMS.minimumAmount, max: TERMS.maximumAmount }),
    });
    fc.assert(
      fc.property(anyone, (question) => {
        const { verdict, amount } = byRules(question, {});
        const { minimumAmount: min, maximumAmount: max } = TERMS;
        expect([verdict, amount]).toEqual(['LIKELY', { min, max }]);
      }),
      { seed: 495 },
    );
  });
});

describe('a lender’s own answer', () => {
  it('is unknown when it finds an amount likely outside its own range', () => {
    const likely = { verdict: 'LIKELY', amount: { min: 100, max: 200 } } as const;
    expect([99, 100, 200, 201].map((one) => withoutContradiction(likely, one).verdict)).toEqual([
      'UNKNOWN',
      'LIKELY',
      'LIKELY',
      'UNKNOWN',
    ]);
    const unlikely = { verdict: 'UNLIKELY', reasons: ['AMOUNT'], amount: likely.amount } as const;
    expect(withoutContradiction(unlikely, 500)).toBe(unlikely);
  });
});
