import type { Request } from 'express';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PatternField, Rule, RupeesField, TextField } from '../validation/field-rules.js';
import { FormField, mobileOf, readForm, rupeesOf } from './read-form.js';

const MISSING = 'common.fault.request.title';
const WRONG = 'common.fault.request.text';
const OWN = 'common.fault.later';

class ExampleForm {
  @PatternField(/^[A-Z]{5}\d{4}[A-Z]$/, 'must be a PAN')
  @FormField({ as: 'capitals', missing: MISSING, wrong: WRONG })
  pan: string;

  @RupeesField()
  @Rule('small', (value) => Number(value) < 1e7, OWN)
  @FormField({ as: 'rupees', missing: MISSING, wrong: WRONG })
  amount: number;

  @PatternField(/^\d{6}$/, WRONG)
  @FormField({ as: 'digits', wrong: WRONG })
  code: string;

  @Rule('past', (value) => String(value) < '2020' && value !== '', OWN)
  @FormField({ as: 'date', missing: MISSING, wrong: WRONG })
  dob: string;

  @Rule('ticked', (value) => value === true, WRONG)
  @FormField({ as: 'checkbox', missing: MISSING, wrong: WRONG })
  agreed: boolean;

  @TextField({ optional: true })
  @FormField({ wrong: WRONG })
  note?: string;
}

const GOOD = {
  pan: ' abcde 1234f ',
  amount: '₹ 1,00,000.50',
  code: '१२३ 456',
  'dob-day': '3',
  'dob-month': '1',
  'dob-year': '1990',
  agreed: '1',
  note: '',
};

function read(fields: Record<string, string>) {
  const rawBody = Buffer.from(new URLSearchParams(fields).toString());
  return readForm({ rawBody } as unknown as Request, ExampleForm);
}

function errorsWith(fields: Record<string, string>) {
  return read({ ...GOOD, ...fields }).errors;
}

describe('a posted form', () => {
  it('of more fields than any form has is not read', () => {
    const filled = (more: number) =>
      Object.fromEntries(Array.from({ length: more }, (_, index) => [`more-${index}`, '']));
    expect(read({ ...GOOD, ...filled(290) }).isValid).toBe(true);
    expect(() => read({ ...GOOD, ...filled(300) })).toThrow(
      expect.objectContaining({ code: 'malformed_request' }),
    );
  });

  it('becomes its class, tidied as its fields say', () => {
    expect(read(GOOD)).toEqual({
      isValid: true,
      errors: [],
      entered: GOOD,
      value: {
        pan: 'ABCDE1234F',
        amount: 100_000.5,
        code: '123456',
        dob: '1990-01-03',
        agreed: true,
      },
    });
  });

  it('that is empty names every field in its order, with what is missing', () => {
    expect(read({})).toEqual({
      isValid: false,
      entered: {},
      errors: [
        { field: 'pan', messageKey: MISSING },
        { field: 'amount', messageKey: MISSING },
        { field: 'code', messageKey: WRONG },
        { field: 'dob', messageKey: MISSING },
        { field: 'agreed', messageKey: MISSING },
      ],
    });
  });

  it('keeps what was typed as it was typed', () => {
    expect(read({ ...GOOD, pan: ' abc ' })).toMatchObject({ entered: { pan: ' abc ' } });
  });

  it('says what is wrong by the field’s text, or by the rule’s own when it is a key', () => {
    expect(errorsWith({ pan: 'ABC' })).toEqual([{ field: 'pan', messageKey: WRONG }]);
    expect(errorsWith({ amount: '1e3' })).toEqual([{ field: 'amount', messageKey: WRONG }]);
    expect(errorsWith({ amount: '20000000' })).toEqual([{ field: 'amount', messageKey: OWN }]);
  });

  it.each(['12.345', '1 lakh', '-5', '0', '१.२.३'])('takes %s for no amount', (amount) => {
    expect(errorsWith({ amount })).toEqual([{ field: 'amount', messageKey: WRONG }]);
  });

  it('has a date of three parts, each of which may be wrong', () => {
    const wrong = [{ field: 'dob', messageKey: WRONG }];
    expect(errorsWith({ 'dob-month': '13' })).toEqual(wrong);
    expect(errorsWith({ 'dob-day': '31', 'dob-month': '2' })).toEqual(wrong);
    expect(errorsWith({ 'dob-year': '' })).toEqual(wrong);
    expect(errorsWith({ 'dob-year': '90' })).toEqual(wrong);
    expect(errorsWith({ 'dob-year': '2021' })).toEqual([{ field: 'dob', messageKey: OWN }]);
    expect(errorsWith({ 'dob-day': '', 'dob-month': '', 'dob-year': '' })).toEqual([
      { field: 'dob', messageKey: MISSING },
    ]);
  });

  it('takes nothing from names that objects have of their own', () => {
    const form = read({ ...GOOD, __proto__: 'x', constructor: 'y' });
    expect(form.isValid).toBe(true);
  });
});

const NBSP = '\u00a0';

describe('a mobile number', () => {
  it.each([
    '9876543210',
    '+91 98765 43210',
    '+91 (98765) 43210',
    '(+91) 9876543210',
    '+91 (0) 98765 43210',
    '0919876543210',
    '919876543210',
    '09876543210',
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
    'Rs. 60,000/-',
    'RS. 60,000 /-',
    'Rs. ₹60,000',
    '60,000 INR',
    '60000₹',
    '60,000 rupees only',
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
    '1e3',
    '12.345',
    '60,000 + 5',
    'Rs.-60',
    '10 000,50',
    '5000,00',
    '60,00',
    '1,00,0000',
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
])('%s', (_, reader) => {
  it('takes time in proportion to a hostile text', () => {
    for (const part of ['9', 'रु', 'rs', '₹', '/-', ' only', '+91 ', '0', '()']) {
      const started = performance.now();
      reader(`${part.repeat(100_000 / part.length)}x`);
      expect(performance.now() - started).toBeLessThan(500);
    }
  });
});
