import { describe, expect, it } from 'vitest';
import {
  formatClock,
  formatDate,
  formatDateTime,
  formatMoney,
  formatPercent,
  formatRupees,
} from './formats.js';

/** The first space is non-breaking in both languages, so that am or pm stays on the line of its time. */
const onOneLine = (time: string) => time.replace(' ', '\u00A0');

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
    expect(formatDate('en', '2026-11-21')).toBe('21\u00A0November\u00A02026');
    expect(formatDate('hi', '2026-11-21')).toBe('21\u00A0नवंबर\u00A02026');
    // 00:30 on the 22nd in India.
    expect(formatDate('en', new Date('2026-11-21T19:00:00Z'))).toBe('22\u00A0November\u00A02026');
  });

  it('have their time in India beside them', () => {
    expect(formatDateTime('en', '2026-11-21T12:00:00Z')).toBe(
      '21\u00A0November\u00A02026, 5:30\u00A0pm',
    );
    expect(formatDateTime('hi', '2026-11-21T12:00:00Z')).toBe(
      '21\u00A0नवंबर\u00A02026, शाम\u00A05:30',
    );
  });

  it.each([
    [
      '00:00',
      '12:00 am (the night from 21 to 22 November)',
      'रात 12:00 (21 और 22 नवंबर के बीच की रात)',
    ],
    ['01:00', '1:00 am', 'रात 1:00 (21 और 22 नवंबर के बीच की रात)'],
    ['04:00', '4:00 am', 'सुबह 4:00'],
    ['12:00', '12:00 pm (in the daytime)', 'दोपहर 12:00'],
    ['12:59', '12:59 pm (in the daytime)', 'दोपहर 12:59'],
    ['23:59', '11:59 pm', 'रात 11:59'],
  ])(
    'name the night or the daytime where %s could be taken for another time',
    (time, english, hindi) => {
      const instant = `2026-11-22T${time}:00+05:30`;
      expect(formatDateTime('en', instant)).toBe(
        `22\u00A0November\u00A02026, ${onOneLine(english)}`,
      );
      expect(formatDateTime('hi', instant)).toBe(`22\u00A0नवंबर\u00A02026, ${onOneLine(hindi)}`);
    },
  );

  it('name both months of a night between two, and of one between two years', () => {
    const newMonth = new Date('2026-11-30T18:31:00Z');
    expect(formatDateTime('en', newMonth)).toContain('(the night from 30 November to 1 December)');
    expect(formatDateTime('hi', newMonth)).toContain('(30 नवंबर और 1 दिसंबर के बीच की रात)');
    expect(formatDateTime('en', '2026-12-31T18:30:00Z')).toMatch(
      /^1\u00A0January\u00A02027, .+ \(the night from 31 December to 1 January\)$/,
    );
  });

  it('must be dates', () => {
    expect(() => formatDate('en', 'tomorrow')).toThrow(/not a date/);
  });
});

describe('times of the day', () => {
  it.each([
    ['00:00', '12:00 am (midnight)', 'रात 12:00'],
    ['09:30', '9:30 am', 'सुबह 9:30'],
    ['12:00', '12:00 pm (in the daytime)', 'दोपहर 12:00'],
    ['17:30', '5:30 pm', 'शाम 5:30'],
  ])('at %s say which 12 it is', (time, english, hindi) => {
    expect(formatClock('en', time)).toBe(onOneLine(english));
    expect(formatClock('hi', time)).toBe(onOneLine(hindi));
  });
});
