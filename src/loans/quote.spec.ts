import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeeCharge } from './fees.js';
import { quoteLoan, type QuoteInput } from './quote.js';

/** Annex B of RBI/2024-25/18: ₹240 to the lender and ₹160 to a third party. */
const annexB: QuoteInput = {
  principal: 20_000_00,
  annualRatePercent: 15,
  tenureMonths: 24,
  fees: [
    { name: 'Processing fee', payee: 'LENDER', amount: 240_00 },
    { name: 'Insurance', payee: 'THIRD_PARTY', amount: 160_00 },
  ],
};

function fee(amount: number): FeeCharge {
  return { name: 'Processing fee', payee: 'LENDER', amount };
}

describe('quoteLoan', () => {
  it('gives every figure of the circular’s worked example', () => {
    expect(quoteLoan(annexB)).toEqual({
      ...annexB,
      instalment: 970_00,
      apr: 17.07,
      processingFees: 400_00,
      netDisbursed: 19_600_00,
      totalInterest: 3_274_00,
      totalPayable: 23_274_00,
    });
  });

  it('has net amount plus fees equal to the principal, and an APR not below the rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_00, max: 1_00_00_000_00 }),
        fc.integer({ min: 0, max: 4800 }),
        fc.integer({ min: 1, max: 360 }),
        fc.array(fc.integer({ min: 0, max: 200_00 }), { maxLength: 4 }),
        (principal, hundredths, tenureMonths, amounts) => {
          const annualRatePercent = hundredths / 100;
          const fees = amounts.map(fee);
          const quote = quoteLoan({ principal, annualRatePercent, tenureMonths, fees });
          expect(quote.netDisbursed + quote.processingFees).toBe(principal);
          expect(quote.totalPayable - quote.totalInterest).toBe(principal);
          expect(quote.totalInterest).toBeGreaterThanOrEqual(0);
          expect(quote.apr).toBeGreaterThanOrEqual(annualRatePercent);
        },
      ),
    );
  });

  it('charges no interest at rate zero', () => {
    const quote = quoteLoan({ ...annexB, annualRatePercent: 0, tenureMonths: 7, fees: [] });
    expect(quote).toMatchObject({ totalInterest: 0, apr: 0, totalPayable: 20_000_00 });
  });

  it.each<[string, Partial<QuoteInput>]>([
    ['fees equal to the principal', { fees: [fee(20_000_00)] }],
    ['fees above the principal', { fees: [fee(20_001_00)] }],
    ['a negative fee', { fees: [fee(-1)] }],
    ['a fee that is no number', { fees: [fee(Number.NaN)] }],
    ['no principal', { principal: 0 }],
  ])('refuses %s', (_, change) => {
    expect(() => quoteLoan({ ...annexB, ...change })).toThrow(RangeError);
  });
});
