import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRupees, paise, paiseToRupees, rupeesToPaise } from './money.js';

const ONE_CRORE_RUPEES = 1_00_00_000_00;

describe('paise', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5, Number.MAX_SAFE_INTEGER + 1])(
    'refuses %s, which is no safe whole number',
    (value) => {
      expect(() => paise(value)).toThrow(RangeError);
    },
  );

  it('makes -0 plain 0, so that equal amounts serialise alike', () => {
    expect(Object.is(paise(-0), 0)).toBe(true);
  });
});

describe('rupees and paise', () => {
  it('convert without binary rounding error', () => {
    expect(rupeesToPaise(1234.5)).toBe(123450);
    expect(rupeesToPaise(1.15)).toBe(115);
    expect(rupeesToPaise(8.41)).toBe(841);
    expect(paiseToRupees(123450)).toBe(1234.5);
  });

  it.each([0.001, 1.005, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, 1e14])(
    'refuse %s rupees: not an exact amount with at most two decimals',
    (rupees) => {
      expect(() => rupeesToPaise(rupees)).toThrow(RangeError);
    },
  );

  it('refuse an amount that a JSON number cannot show to the paisa', () => {
    expect(() => paiseToRupees(Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
  });

  it('round-trip every paise value up to one crore rupees, with at most two decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: ONE_CRORE_RUPEES }), (amount) => {
        const rupees = paiseToRupees(amount);
        expect(rupeesToPaise(rupees)).toBe(amount);
        expect(JSON.stringify(rupees)).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('formatRupees', () => {
  it.each([
    [0, '₹0'],
    [5, '₹0.05'],
    [999_00, '₹999'],
    [1_000_00, '₹1,000'],
    [99_999_99, '₹99,999.99'],
    [1_00_000_00, '₹1,00,000'],
    [1_00_000_50, '₹1,00,000.50'],
    [12_34_56_789_00, '₹12,34,56,789'],
    [-1_000_00, '-₹1,000'],
  ])('shows %i paise as %s', (amount, shown) => {
    expect(formatRupees(amount)).toBe(shown);
  });
});
