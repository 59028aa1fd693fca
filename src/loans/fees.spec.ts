import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargeFees, type FeeTerm } from './fees.js';

const base: FeeTerm = { name: 'Processing fee', payee: 'LENDER' };

function amount(principal: number, term: Partial<FeeTerm>): number {
  return chargeFees(principal, [{ ...base, ...term }])[0].amount;
}

describe('chargeFees', () => {
  it('adds GST and rounds half up to the rupee', () => {
    expect(chargeFees(1_00_000_00, [{ ...base, percentOfPrincipal: 1.5, gstPercent: 18 }])).toEqual(
      [
        {
          name: 'Processing fee',
          payee: 'LENDER',
          amount: 1_770_00,
          gst: 270_00,
          percentOfPrincipal: 1.5,
        },
      ],
    );
    expect(amount(50_00, { percentOfPrincipal: 1 })).toBe(1_00);
    expect(amount(49_00, { percentOfPrincipal: 1 })).toBe(0);
  });

  it('holds the charge between its minimum and its maximum, before tax', () => {
    const term = { percentOfPrincipal: 2, minimum: 500_00, maximum: 1_000_00, gstPercent: 18 };
    expect(amount(10_000_00, term)).toBe(590_00);
    expect(amount(40_000_00, term)).toBe(944_00);
    expect(amount(90_000_00, term)).toBe(1_180_00);
  });

  it('adds a flat amount to a percentage and keeps the payee', () => {
    expect(amount(10_000_00, { percentOfPrincipal: 1, flat: 50_00 })).toBe(150_00);
    const [charge] = chargeFees(1_000_00, [
      { name: 'Valuation', payee: 'THIRD_PARTY', flat: 99_00 },
    ]);
    expect(charge).toEqual({ name: 'Valuation', payee: 'THIRD_PARTY', amount: 99_00, gst: 0 });
  });

  it.each<[string, Partial<FeeTerm>]>([
    ['no basis', {}],
    ['a negative flat amount', { flat: -1 }],
    ['a flat amount that is no whole paisa', { flat: 0.5 }],
    ['a percentage above 100', { percentOfPrincipal: 101 }],
    ['a percentage that is no number', { percentOfPrincipal: Number.NaN }],
    ['a negative tax', { flat: 1, gstPercent: -1 }],
    ['a minimum above the maximum', { flat: 1, minimum: 2, maximum: 1 }],
  ])('refuses a term with %s', (_, term) => {
    expect(() => amount(1_000_00, term)).toThrow(RangeError);
  });

  it('always charges whole rupees, never below zero', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_00_00_000_00 }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (principal, percentOfPrincipal) => {
          const charged = amount(principal, { percentOfPrincipal, gstPercent: 18 });
          expect(charged % 100).toBe(0);
          expect(charged).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
