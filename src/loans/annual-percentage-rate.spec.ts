import { Decimal } from 'decimal.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annualPercentageRate } from './annual-percentage-rate.js';
import { exactInstalment } from './instalment.js';

function apr(principal: number, fees: number, rate: number, months: number): number {
  return annualPercentageRate({
    netDisbursed: principal - fees,
    exactInstalment: exactInstalment(principal, rate, months),
    months,
  });
}

const terms = fc.record({
  principal: fc.integer({ min: 1_000_00, max: 1_00_00_000_00 }),
  rate: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
  months: fc.integer({ min: 1, max: 600 }),
});

describe('annualPercentageRate', () => {
  it('is the 17.07 % that RBI/2024-25/18 publishes in Annex B', () => {
    expect(apr(20_000_00, 400_00, 15, 24)).toBe(17.07);
  });

  it('is not that number when the rounded instalment is used, as a wrong method would', () => {
    const rounded = annualPercentageRate({
      netDisbursed: 19_600_00,
      exactInstalment: new Decimal(970_00),
      months: 24,
    });
    expect(rounded).toBe(17.1);
  });

  it('equals the annual rate exactly when there are no fees', () => {
    fc.assert(
      fc.property(terms, ({ principal, rate, months }) => {
        expect(apr(principal, 0, rate, months)).toBe(rate);
      }),
    );
  });

  it('rounds half up, undisturbed by the noise of the solution', () => {
    expect(apr(1_00_000_00, 0, 15.005, 36)).toBe(15.01);
    expect(apr(1_00_000_00, 0, 15.004, 36)).toBe(15);
  });

  it('discounts the instalments back to what was paid out', () => {
    fc.assert(
      fc.property(terms, fc.integer({ min: 1, max: 2000 }), (loan, share) => {
        const net = loan.principal - Math.floor((loan.principal * share) / 10_000);
        const percent = apr(loan.principal, loan.principal - net, loan.rate, loan.months);
        const worth = (points: number) => {
          const monthly = points / 1200;
          const instalment = exactInstalment(loan.principal, loan.rate, loan.months).toNumber();
          return (instalment * (1 - (1 + monthly) ** -loan.months)) / monthly;
        };
        expect(worth(percent + 0.0051)).toBeLessThan(net);
        expect(worth(Math.max(percent - 0.0051, 1e-9))).toBeGreaterThan(net * (1 - 1e-9));
      }),
    );
  });

  it('finds the rate of a loan whose fees eat nearly everything', () => {
    // 100 paid out, 1,00,000 × 1.01 paid back.
    expect(apr(1_00_000_00, 99_900_00, 12, 1)).toBe(12 * 100_900);
  });

  it.each([
    ['nothing paid out', 0, 100, 12],
    ['less paid back than paid out', 1300, 100, 12],
    ['no instalment', 1300, 100, 0],
    ['an instalment that is no number', 1300, Number.NaN, 12],
  ])('refuses %s', (_, netDisbursed, instalment, months) => {
    expect(() =>
      annualPercentageRate({ netDisbursed, exactInstalment: new Decimal(instalment), months }),
    ).toThrow(RangeError);
  });
});
