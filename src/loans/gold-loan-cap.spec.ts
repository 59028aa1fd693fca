import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goldLoanCap, RBI_GOLD_LTV_SLABS } from './gold-loan-cap.js';

function capOf(value: number): { cap: number; ratioPercent: number } {
  const { cap, ratioPercent } = goldLoanCap({ grams: '1', pricePerGram: value });
  return { cap, ratioPercent };
}

describe('goldLoanCap', () => {
  it.each([
    // Value, cap and ratio: inside each slab, at and between the borders.
    [1_00_000_00, 85_000_00, 85],
    [2_94_117_00, 2_49_999_00, 85],
    [3_00_000_00, 2_50_000_00, 85],
    [3_12_500_00, 2_50_000_00, 85],
    [4_00_000_00, 3_20_000_00, 80],
    [6_25_000_00, 5_00_000_00, 80],
    [6_50_000_00, 5_00_000_00, 80],
    [8_00_000_00, 6_00_000_00, 75],
  ])('of gold worth %i paise is %i paise at %i %%', (value, cap, ratioPercent) => {
    expect(capOf(value)).toEqual({ cap, ratioPercent });
  });

  it('never falls as the value rises', () => {
    const values = fc.integer({ min: 1, max: 20_00_000_00 });
    fc.assert(
      fc.property(values, values, (one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(capOf(more).cap).toBeGreaterThanOrEqual(capOf(less).cap);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps every loan within the ratio that the RBI sets for a loan of that size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_00_000_00 }), (value) => {
        const { cap } = capOf(value);
        const slab = RBI_GOLD_LTV_SLABS.find((one) => one.ceiling === null || cap <= one.ceiling);
        expect(cap * 100).toBeLessThanOrEqual(value * (slab?.ratioPercent ?? 0));
        expect(cap % 100).toBe(0);
      }),
    );
  });

  it('is rounded down to the rupee, and the value down to the paisa', () => {
    expect(goldLoanCap({ grams: '0.333', pricePerGram: 10_001 })).toMatchObject({
      value: 3330,
      cap: 28_00,
    });
  });

  it('takes a lender’s own stricter slabs', () => {
    const slabs = [{ ceiling: null, ratioPercent: 60 }];
    expect(goldLoanCap({ grams: '10', pricePerGram: 10_000_00, slabs }).cap).toBe(60_000_00);
  });

  it.each(['', '0.00', '-1', '1e3', ' 1', '1.', '1,000', '9999999999999'])(
    'refuses grams "%s"',
    (grams) => {
      expect(() => goldLoanCap({ grams, pricePerGram: 1 })).toThrow(RangeError);
    },
  );

  it('refuses a price or slabs that make no sense, and a value beyond safe integers', () => {
    expect(() => goldLoanCap({ grams: '1', pricePerGram: 0 })).toThrow(RangeError);
    expect(() => goldLoanCap({ grams: '1', pricePerGram: 1, slabs: [] })).toThrow(RangeError);
    expect(() =>
      goldLoanCap({ grams: '1', pricePerGram: 1, slabs: [{ ceiling: null, ratioPercent: 0 }] }),
    ).toThrow(RangeError);
    expect(() => goldLoanCap({ grams: '999999999999', pricePerGram: 1_00_000_00 })).toThrow(
      RangeError,
    );
  });
});
