import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsByPercentage, chargeFees, type FeeTerm } from './fees.js';
import { roundToRupee } from './instalment.js';

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

  it('splits an amount into the charge before tax and its tax, which add up', () => {
    // 2.5 % are ₹308.63 and 18 % of that ₹55.55; rounded separately, ₹365.
    const [charge] = chargeFees(12_345_00, [{ ...base, percentOfPrincipal: 2.5, gstPercent: 18 }]);
    expect(charge).toMatchObject({ amount: 364_00, gst: 55_00, percentOfPrincipal: 2.5 });
  });

  it.each<[string, number, Partial<FeeTerm>, object]>([
    [
      'a minimum above it',
      2_000_00,
      { percentOfPrincipal: 2, minimum: 100_00 },
      { amount: 100_00, basis: { percentOfPrincipal: 2, minimum: 100_00 } },
    ],

    [
      'a flat amount beside it and a minimum above both',
      10_000_00,
      { percentOfPrincipal: 2, flat: 100_00, minimum: 500_00, maximum: 900_00 },
      { amount: 500_00, basis: { percentOfPrincipal: 2, flat: 100_00, minimum: 500_00 } },
    ],
  ])('states no percentage where %s decides, and says what does', (_, principal, term, stated) => {
    const [charge] = chargeFees(principal, [{ ...base, ...term }]);
    expect(charge).toEqual({ ...base, gst: 0, ...stated });
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
});

describe('amountsByPercentage', () => {
  const fee = { ...base, amount: 0, percentOfPrincipal: 2.5, gst: 55_55 };

  it('are the share and its tax, with the share or the sum to the rupee, or the share to the paisa', () => {
    expect(amountsByPercentage(12_345_00, fee)).toEqual([364_55, 364_00, 364_18]);
    expect(amountsByPercentage(12_345_00, { ...base, amount: 1_00 })).toBeNull();
  });

  it('are of whatever is charged by a percentage alone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_00, max: 1_00_00_000_00 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.constantFrom(0, 5, 18),
        (principal, hundredths, gstPercent) => {
          const percentOfPrincipal = hundredths / 100;
          const [charge] = chargeFees(principal, [{ ...base, percentOfPrincipal, gstPercent }]);
          expect(amountsByPercentage(principal, charge)).toContain(charge.amount);
          const share = roundToRupee((principal * hundredths) / 10_000);
          expect(charge.amount - charge.gst!).toBe(share);
          expect(charge.amount % 100).toBe(0);
        },
      ),
    );
  });
});
