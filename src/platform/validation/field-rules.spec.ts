import 'reflect-metadata';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AcceptedField,
  ChoiceField,
  EmailField,
  PatternField,
  RupeesField,
  TextField,
} from './field-rules.js';
import { check, validated } from './validated.js';

class Fields {
  @TextField({ optional: true })
  text?: string;

  @TextField({ optional: true, most: 5 })
  short?: string;

  @PatternField(/^\d{6}$/, 'must be 6 digits', { optional: true })
  pin?: string;

  @ChoiceField(['MALE', 'FEMALE'], { optional: true })
  choice?: string;

  @RupeesField({ optional: true })
  amount?: number;

  @EmailField({ optional: true })
  email?: string;

  @AcceptedField('must be true', { optional: true })
  flag?: boolean;
}

function isAccepted(field: keyof Fields, value: unknown): boolean {
  return check(Fields, { [field]: value }).problems.length === 0;
}

describe('text', () => {
  it('is trimmed', () => {
    expect(validated(Fields, { text: '  Asha Verma \n' }).text).toBe('Asha Verma');
  });

  it('has 1 to 200 characters, however they are encoded', () => {
    expect(isAccepted('text', 'x'.repeat(200))).toBe(true);
    expect(isAccepted('text', 'x'.repeat(201))).toBe(false);
    expect(isAccepted('text', '😀'.repeat(200))).toBe(true);
    expect(isAccepted('short', 'अनुजा')).toBe(true);
    expect(isAccepted('short', '123456')).toBe(false);
  });

  it.each(['a\u0000b', 'a\nb', 'a\tb', 'a\u007fb', 'a\u0085b', 'a\u2028b', 'a\u202eb', 'a\u2066b'])(
    'holds no control characters: %j',
    (text) => {
      expect(isAccepted('text', text)).toBe(false);
    },
  );
});

describe('a pattern, a choice and a truth value', () => {
  it('match whole and in kind', () => {
    expect(isAccepted('pin', ' 560001 ')).toBe(true);
    for (const value of ['56000', '5600011', 560001, ['560001']]) {
      expect(isAccepted('pin', value)).toBe(false);
    }
    expect(isAccepted('choice', 'MALE')).toBe(true);
    for (const value of ['male', 'OTHER', ['MALE'], 0]) {
      expect(isAccepted('choice', value)).toBe(false);
    }
    expect(isAccepted('flag', true)).toBe(true);
    for (const value of [false, 'true', 1, 'yes']) expect(isAccepted('flag', value)).toBe(false);
  });
});

describe('rupees', () => {
  it.each([0.01, 99_999_999.99, 0.29, 1e13])('accept %d', (amount) => {
    expect(isAccepted('amount', amount)).toBe(true);
  });

  it.each([0, -5, 0.001, 1.005, 1e13 + 1, Infinity, NaN, '100', true])('refuse %s', (amount) => {
    expect(isAccepted('amount', amount)).toBe(false);
  });

  it('accept every whole number of paise and answer every number without an exception', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e11 }), (paise) => {
        expect(isAccepted('amount', paise / 100)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.double(), (number) => [true, false].includes(isAccepted('amount', number))),
    );
  });
});

describe('an e-mail address', () => {
  it('has one @ with something on both sides and a dot after it', () => {
    expect(isAccepted('email', ' asha.verma+loan@mail.example.com ')).toBe(true);
    const long = `a@${'x'.repeat(252)}.in`;
    for (const value of ['asha', 'a@b', '@b.in', 'a@@b.in', 'a b@c.in', 'a\u0000@b.in', long, 5]) {
      expect(isAccepted('email', value)).toBe(false);
    }
  });
});

describe('optional fields', () => {
  it('count as left out when they are empty or null', () => {
    const empty = { text: '  ', short: null, pin: '', choice: null, amount: null, email: '' };
    expect(JSON.stringify(validated(Fields, { ...empty, flag: null }))).toBe('{}');
  });
});
