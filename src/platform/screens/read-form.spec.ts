import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { PatternField, Rule, RupeesField, TextField } from '../validation/field-rules.js';
import { FormField } from './form-field.js';
import { readForm } from './read-form.js';

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
