import { describe, expect, it } from 'vitest';
import { formatDate, formatDateTime, formatMoney, formatPercent, formatRupees } from './formats.js';

describe('rupees', () => {
  it.each([
    [0, '₹0'],
    [100, '₹1'],
    [10_000_000, '₹1,00,000'],
    [1_234_567_800, '₹1,23,45,678'],
    [10_000_050, '₹1,00,000.50'],
    [5, '₹0.05'],
    [-70_000, '−₹700'],
  ])('%i paise are %s', (paise, text) => {
    expect(formatRupees(paise)).toBe(text);
  });

  it.each([1.5, Number.NaN, 2 ** 60])('refuses %d: it is not an amount in paise', (amount) => {
    expect(() => formatRupees(amount)).toThrow(/not an amount/);
  });
});

describe('money of any currency', () => {
  it.each([
    [117_950, 'INR', '₹1,179.50'],
    [117_950, 'USD', 'USD 1179.50'],
    [117_950, 'JPY', 'JPY 117950'],
    [117_950, 'KWD', 'KWD 117.950'],
    [117_950, 'rupees', 'rupees 1179.50'],
  ])('%i of %s are %s', (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text);
  });

  it('is refused when it is no whole number of the smallest unit', () => {
    expect(() => formatMoney(1.5, 'USD')).toThrow(/not an amount/);
  });
});

describe('percentages', () => {
  it('have two decimals', () => {
    expect(formatPercent(14.5)).toBe('14.50%');
    expect(formatPercent(0)).toBe('0.00%');
  });
});

describe('dates', () => {
  it('are the day in India, in Latin digits', () => {
    expect(formatDate('en', '2026-11-21')).toBe('21 November 2026');
    expect(formatDate('hi', '2026-11-21')).toBe('21 नवंबर 2026');
    // 00:30 on the 22nd in India.
    expect(formatDate('en', new Date('2026-11-21T19:00:00Z'))).toBe('22 November 2026');
  });

  it('have their time in India beside them', () => {
    expect(formatDateTime('en', '2026-11-21T12:00:00Z')).toMatch(/^21 November 2026, 5:30\spm$/);
    expect(formatDateTime('hi', '2026-11-21T12:00:00Z')).toBe('21 नवंबर 2026, शाम 5:30');
  });

  it('must be dates', () => {
    expect(() => formatDate('en', 'tomorrow')).toThrow(/not a date/);
  });
});
