import { describe, expect, it } from 'vitest';
import { chooseLender } from './lender-choice.js';
import type { Lender, ProductTerms } from '../../settings/index.js';

const LOAN = 2_500_000;

function lender(code: string, terms: Partial<ProductTerms> | null): Lender {
  const product = terms && {
    annualRatePercent: 20,
    tenureMonths: 6,
    minimumAmount: 100_000,
    maximumAmount: 10_000_000,
    fees: [{ name: 'Processing fee', payee: 'LENDER', flat: 20_000, gstPercent: 18 }],
    ...terms,
  };
  return {
    code,
    name: code.toUpperCase(),
    terms: { products: product ? { ONLINE_INSTANT: product } : {} },
  } as Lender;
}

describe('the lender of an instant loan', () => {
  it('is the one with the lowest APR, not the lowest rate', () => {
    const cheapRate = lender('rate', {
      annualRatePercent: 18,
      fees: [{ name: 'Fee', payee: 'LENDER', percentOfPrincipal: 5 }],
    });
    const cheapLoan = lender('loan', {});
    const chosen = chooseLender([cheapRate, cheapLoan], LOAN)!;
    expect(chosen.lender.code).toBe('loan');
    expect(chosen.quote).toMatchObject({ principal: LOAN, processingFees: 23_600 });
    expect(chosen.comparison).toEqual({
      others: [
        {
          lenderName: 'RATE',
          apr: expect.any(Number),
          instalment: expect.any(Number),
          tenureMonths: 6,
          fee: 125_000,
        },
      ],
      withoutOffer: [],
    });
    expect(chosen.comparison.others[0].apr).toBeGreaterThan(chosen.quote.apr);
  });

  it('is the first by its code between equal ones, as the metric says', () => {
    expect(chooseLender([lender('b', {}), lender('a', {})], LOAN)!.lender.code).toBe('a');
  });

  it('lends the amount: the others are named without an offer', () => {
    const small = lender('small', { annualRatePercent: 1, maximumAmount: LOAN - 1 });
    const large = lender('large', { annualRatePercent: 1, minimumAmount: LOAN + 1 });
    const chosen = chooseLender([small, large, lender('fits', {})], LOAN)!;
    expect(chosen.lender.code).toBe('fits');
    expect(chosen.comparison.withoutOffer).toEqual(['SMALL', 'LARGE']);
  });

  it('takes a fee: without one there is nothing to pay, and no instant loan', () => {
    const free = lender('free', { annualRatePercent: 1, fees: [] });
    const chosen = chooseLender([free, lender('paid', {})], LOAN)!;
    expect(chosen.lender.code).toBe('paid');
    expect(chosen.comparison.withoutOffer).toEqual(['FREE']);
  });

  it('is nobody when nobody lends the amount, or the fee would eat it up', () => {
    const greedy = lender('greedy', { fees: [{ name: 'Fee', payee: 'LENDER', flat: 200_000 }] });
    expect(chooseLender([lender('other', null)], LOAN)).toBeNull();
    expect(chooseLender([greedy], 150_000)).toBeNull();
    expect(chooseLender([], LOAN)).toBeNull();
  });
});
