import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coolingOff, coolingOffCostADay, coolingOffExitAmount } from './cooling-off.js';

const rupees = fc.integer({ min: 1, max: 1_000_000_000 }).map((amount) => amount * 100);
/** Hundredths of a percent, to compute in whole numbers. */
const hundredths = fc.integer({ min: 0, max: 20_000 });
const days = fc.integer({ min: 0, max: 60 });

/** The formula in whole numbers. */
function yardstick(netDisbursed: number, aprHundredths: number, daysUsed: number): number {
  const scale = 365n * 10_000n * 100n;
  const exact = BigInt(netDisbursed) * (365n * 10_000n + BigInt(aprHundredths) * BigInt(daysUsed));
  return Number((2n * exact + scale) / (2n * scale)) * 100;
}

describe('leaving a loan within its cooling-off period', () => {
  it('costs what was paid out and the APR on it for the days used', () => {
    // ₹1,95,280 at 13.15 percent for three days of 365: ₹211.06 more.
    const loan = { netDisbursed: 19_528_000, apr: 13.15 };
    expect(coolingOffExitAmount(loan, 3)).toBe(19_549_100);
  });

  it('costs a day’s APR a day', () => {
    // ₹70.36 a day.
    expect(coolingOffCostADay({ netDisbursed: 19_528_000, apr: 13.15 })).toBe(70_00);
    expect(coolingOffCostADay({ netDisbursed: 19_528_000, apr: 0 })).toBe(0);
  });

  it('is exact to the rupee, half up', () => {
    fc.assert(
      fc.property(rupees, hundredths, days, (netDisbursed, apr, daysUsed) => {
        const amount = coolingOffExitAmount({ netDisbursed, apr: apr / 100 }, daysUsed);
        expect(amount).toBe(yardstick(netDisbursed, apr, daysUsed));
      }),
    );
  });

  it.each([
    [0, 10, 1],

    [100, Number.NaN, 1],

    [100, 10, 1.5],
  ])('is not computed from %d paise, %d percent, %d days', (netDisbursed, apr, daysUsed) => {
    expect(() => coolingOffExitAmount({ netDisbursed, apr }, daysUsed)).toThrow(RangeError);
  });

  const loan = {
    netDisbursed: 19_528_000,
    apr: 13.15,
    // 02:00 on the 22nd in India.
    disbursedAt: new Date('2026-11-21T20:30:00Z'),
    coolingOffDays: 3,
  };

  it('is possible until the end of the last day in India', () => {
    const { lastDay, exits } = coolingOff(loan, loan.disbursedAt);
    expect(lastDay).toBe('2026-11-25');
    expect(exits.map(({ day }) => day)).toEqual([
      '2026-11-22',
      '2026-11-23',
      '2026-11-24',
      '2026-11-25',
    ]);
    expect(exits[0]).toMatchObject({ daysUsed: 0, amount: 19_528_000, cost: 0 });
    expect(exits[3]).toMatchObject({ daysUsed: 3, amount: 19_549_100, cost: 21_100 });
    expect(coolingOff(loan, new Date('2026-11-25T18:29:59Z')).exits).toHaveLength(1);
    expect(coolingOff(loan, new Date('2026-11-25T18:30:00Z')).exits).toEqual([]);
  });

  it('is counted from the payout when the lender’s clock is ahead of the service’s', () => {
    const { exits } = coolingOff(loan, new Date('2026-11-20T12:00:00Z'));
    expect(exits[0]).toMatchObject({ day: '2026-11-22', daysUsed: 0 });
  });
});
