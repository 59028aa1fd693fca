import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mobileOf, rupeesOf } from './entered-values.js';

const NBSP = '\u00a0';

describe('a mobile number', () => {
  it.each([
    '9876543210',
    '+91 98765 43210',
    '+919876543210',
    '+91-98765-43210',
    '+91 (98765) 43210',
    '(+91) 9876543210',
    '+91 (0) 98765 43210',
    '0091 9876543210',
    '0919876543210',
    '091 98765 43210',
    '919876543210',
    '09876543210',
    '0 98765.43210',
    ' 98765–43210 ',
    `+91${NBSP}98765${NBSP}43210`,
    '\u202a+91 98765 43210\u202c',
    '+९१ ९८७६५ ४३२१०',
  ])('is read from %j', (text) => {
    expect(mobileOf(text)).toBe('9876543210');
  });

  it('may itself begin with 91', () => {
    expect(mobileOf('9198765432')).toBe('9198765432');
    expect(mobileOf('+91 91987 65432')).toBe('9198765432');
  });

  it.each([
    ['98765', '98765'],
    ['5876543210', '5876543210'],
    ['+1 987 654 3210', '+19876543210'],
    ['+91 98765 4321', '+91987654321'],
    ['98765 43210 9', '98765432109'],
    ['98x76543210', '98x76543210'],
    ['call 9876543210', 'call9876543210'],
    ['', ''],
  ])('is not found in %j', (text, left) => {
    expect(mobileOf(text)).toBe(left);
  });

  it('is found however it is grouped and whatever is before it', () => {
    const prefix = fc.constantFrom('', '0', '91', '+91', '091', '0091', '+91 0', '(+91)', '(0)');
    const gap = fc.constantFrom('', ' ', '-', '.', ' - ', NBSP, '\u200e');
    const gaps = fc.array(gap, { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(prefix, fc.stringMatching(/^[6-9]\d{9}$/), gaps, (before, number, between) => {
        const text = Array.from(number, (digit, at) => `${between[at]}${digit}`).join('');
        expect(mobileOf(`${before}${text}`)).toBe(number);
      }),
    );
  });
});

describe('an amount', () => {
  it.each([
    '60000',
    '60,000',
    'Rs. 60,000/-',
    'Rs 60,000',
    'rs.60000',
    'RS. 60,000 /-',
    '₹60,000/-',
    '₹ 60,000.00',
    'Rs. ₹60,000',
    'INR 60,000',
    '60,000 INR',
    '60000₹',
    '60,000 rupees only',
    'Rupees 60,000 only/-',
    '60,000/=',
    `₹${NBSP}60,000`,
    '६०,००० रुपये',
    'रु. ६०,०००/-',
    'रू 60,000 मात्र',
  ])('of ₹60,000 is read from %j', (text) => {
    expect(rupeesOf(text)).toBe(60_000);
  });

  it.each([
    'Rs',
    '-60000',
    '1 lakh',
    '60k',
    '1e3',
    '12.345',
    '60,000 + 5',
    '60-000',
    '/-',
    'Rs.-60',
    '10 000,50',
    '5000,00',
    '60,00',
    '1,00,0000',
    '600,',
  ])('is not found in %j', (text) => {
    expect(typeof rupeesOf(text)).toBe('string');
  });

  it('is found to the paisa, whatever is around it', () => {
    const before = fc.constantFrom('', '₹', '₹ ', 'Rs. ', 'rs', 'INR ', 'रु ');
    const after = fc.constantFrom('', '/-', ' /-', ' only', ' rupees', ' रुपये');
    fc.assert(
      fc.property(before, fc.integer({ min: 0, max: 1e12 }), after, (start, paise, end) => {
        const shown = (paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 });
        expect(rupeesOf(`${start}${shown}${end}`)).toBe(paise / 100);
      }),
    );
  });
});

describe.each([
  ['mobileOf', mobileOf],
  ['rupeesOf', rupeesOf],
])('%s', (_, read) => {
  it('takes time in proportion to a hostile text', () => {
    for (const part of ['9', 'रु', 'rs', '₹', '/-', ' only', '+91 ', '0', '()']) {
      const started = performance.now();
      read(`${part.repeat(100_000 / part.length)}x`);
      expect(performance.now() - started).toBeLessThan(500);
    }
  });
});
