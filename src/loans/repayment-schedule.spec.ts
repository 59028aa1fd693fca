import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactRepaymentSchedule,
  lastInstalment,
  repaymentSchedule,
  scheduleTotal,
} from './repayment-schedule.js';
import { exactInstalment, roundToRupee } from './instalment.js';
import { LoanDecimal } from './money.js';
import { totalPayable } from './quote.js';

/** Rounding up never repays the loan early. */
const loans = fc
  .record({
    principal: fc.integer({ min: 1_000_00, max: 1_00_00_000_00 }),
    rate: fc.integer({ min: 0, max: 3600 }).map((hundredths) => hundredths / 100),
    months: fc.integer({ min: 1, max: 120 }),
  })
  .filter(({ principal, months }) => principal >= months * months * 100);

describe('repaymentSchedule', () => {
  it('gives the rows of the circular’s Annex C for its worked example', () => {
    const rows = repaymentSchedule(20_000_00, 15, 24);
    expect(rows).toHaveLength(24);
    expect(rows[0]).toEqual({
      number: 1,
      openingBalance: 20_000_00,
      principal: 720_00,
      interest: 250_00,
      instalment: 970_00,
      closingBalance: 19_280_00,
    });
    expect(rows[1]).toMatchObject({
      openingBalance: 19_280_00,
      principal: 729_00,
      interest: 241_00,
    });
    expect(rows[23]).toEqual({
      number: 24,
      openingBalance: 958_00,
      principal: 958_00,
      interest: 12_00,
      // The circular has ₹970: the sum is ₹6 above its total of ₹23,274.
      instalment: 964_00,
      closingBalance: 0,
    });
  });

  it('closes at exactly zero, never below, and has the quoted instalment in every row but the last', () => {
    fc.assert(
      fc.property(loans, ({ principal, rate, months }) => {
        const shown = roundToRupee(exactInstalment(principal, rate, months));
        const rows = repaymentSchedule(principal, rate, months);
        expect(rows).toHaveLength(months);
        const last = rows.at(-1)!;
        expect(Object.is(last.closingBalance, 0)).toBe(true);
        let opening = roundToRupee(principal);
        for (const [index, row] of rows.entries()) {
          expect([row.number, row.openingBalance]).toEqual([index + 1, opening]);
          expect(row.closingBalance).toBeGreaterThanOrEqual(0);
          opening = row.closingBalance;
          if (row === last) continue;
          expect(row.instalment).toBe(shown);
          expect(Math.abs(row.principal + row.interest - row.instalment)).toBeLessThanOrEqual(100);
        }
        const loan = { principal, annualRatePercent: rate, tenureMonths: months };
        expect(scheduleTotal(rows)).toBe(totalPayable(loan));
        expect(last.instalment).toBe(lastInstalment(principal, rate, months));
      }),
      { numRuns: 25 },
    );
  });

  it('never asks for more than the total, nor for less than nothing', () => {
    const tiny = fc.record({
      principal: fc.integer({ min: 1_00, max: 1_000_00 }),
      months: fc.integer({ min: 1, max: 600 }),
    });
    fc.assert(
      fc.property(tiny, ({ principal, months }) => {
        const rows = repaymentSchedule(principal, 0, months);
        expect(scheduleTotal(rows)).toBe(
          totalPayable({ principal, annualRatePercent: 0, tenureMonths: months }),
        );
        expect(Math.min(...rows.map(({ instalment }) => instalment))).toBeGreaterThanOrEqual(0);
        expect(rows.at(-1)!.instalment).toBe(lastInstalment(principal, 0, months));
      }),
      { numRuns: 30 },
    );
  });
});

describe('exactRepaymentSchedule', () => {
  it('repays the principal to the last digit, with a last instalment that equals the others', () => {
    fc.assert(
      fc.property(loans, ({ principal, rate, months }) => {
        const rows = exactRepaymentSchedule(principal, rate, months);
        const sum = rows.reduce((total, row) => total.plus(row.principal), new LoanDecimal(0));
        expect(sum.minus(principal).abs().lessThan('1e-20')).toBe(true);
        const last = rows.at(-1)!;
        expect(last.closingBalance.isZero()).toBe(true);
        const others = exactInstalment(principal, rate, months);
        expect(last.instalment.minus(others).abs().lessThan('1e-15')).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
