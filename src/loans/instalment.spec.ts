import { describe, expect, it } from 'vitest';
import { exactInstalment, roundToRupee } from './instalment.js';

describe('exactInstalment', () => {
  it.each([
    // Principal in paise, percent a year, months, instalment in rupees.
    [20_000_00, 15, 24, '969.73'],
    [1_00_000_00, 12, 12, '8884.88'],
    [5_00_000_00, 10.5, 60, '10746.95'],
    [50_00_000_00, 8.5, 240, '43391.16'],
  ])('of %i paise at %d %% over %i months is ₹%s', (principal, rate, months, expected) => {
    expect(exactInstalment(principal, rate, months).dividedBy(100).toFixed(2)).toBe(expected);
  });

  it('is the principal in equal parts at rate zero', () => {
    expect(exactInstalment(1_20_000_00, 0, 12).toNumber()).toBe(10_000_00);
  });

  it('stays true for a rate so small that the closed formula would divide by nothing', () => {
    expect(exactInstalment(1_20_000_00, 5e-324, 12).toNumber()).toBe(10_000_00);
    expect(exactInstalment(1_20_000_00, 1e-11, 12).toNumber()).toBeCloseTo(10_000_00, 4);
  });

  it('is the principal with one month of interest for a single month', () => {
    expect(exactInstalment(1_000_00, 12, 1).toNumber()).toBe(1_010_00);
  });

  it.each([
    [0, 12, 12],

    [0.5, 12, 12],
    [100, -0.01, 12],
    [100, 100.01, 12],

    [100, 12, 0],
    [100, 12, 601],
    [100, 12, 1.5],
  ])('refuses principal %d, rate %d, tenure %d', (principal, rate, months) => {
    expect(() => exactInstalment(principal, rate, months)).toThrow(RangeError);
  });
});

describe('roundToRupee', () => {
  it('rounds half up to a whole rupee', () => {
    expect(roundToRupee(100_49)).toBe(100_00);
    expect(roundToRupee(100_50)).toBe(101_00);
    expect(roundToRupee('10049.999')).toBe(100_00);
  });

  it('is not led below an exact half by the last digit of a division', () => {
    expect(roundToRupee('10049.99999999999999999999999999999999999')).toBe(101_00);
  });

  it('refuses an amount beyond the safe integers', () => {
    expect(() => roundToRupee('1e20')).toThrow(RangeError);
    expect(() => roundToRupee(Number.NaN)).toThrow(RangeError);
  });
});
