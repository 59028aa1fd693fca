import * as fc from 'fast-check';
import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../platform/index.js';
import type { Product } from '../../settings/index.js';
import { readInstantLoanRequest } from './create-instant-loan.service.js';

type Fields = Record<string, unknown>;

const NOW = new Date('2026-06-15T12:00:00+05:30');
const NAME_RULE =
  'must be a name of 1 to 200 characters with at least one letter, without control characters or more than three combining marks in a row';
const AMOUNT = 'must be an amount in rupees above zero with at most two decimals';
const missing = (rule: string) => `is missing; it ${rule}`;
const NAME = 'is missing; it must be given unless customer.fullName is';
const PAN = 'must be a PAN: five capital letters, four digits, one capital letter';
const MOBILE = 'must be a mobile number of 10 digits that starts with 6 to 9';
const DOB = 'must be a date of birth as YYYY-MM-DD';
const EMAIL = 'must be an e-mail address';
const PIN = 'must be a PIN code of 6 digits';
const CUSTOMER = 'must be an object with the applicant’s details';

const PRODUCT = { minimumAmount: 100_000, maximumAmount: 5_000_000 } as Product;

function body(more: Fields = {}, customer: Fields = {}): Fields {
  return {
    mobile: '9876543210',
    customer: { pan: 'ABCDE1234F', firstName: 'Asha', ...customer },
    ...more,
  };
}

function read(given: Fields) {
  return readInstantLoanRequest(given, NOW, PRODUCT);
}

function problemsOf(given: Fields): Record<string, string> {
  try {
    read(given);
    return {};
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'validation_failed') throw error;
    const entries = error.details!.map(({ field, message }) => [field, message]);
    const fields = new Set(entries.map(([field]) => field));
    if (fields.size < entries.length) {
      throw new Error(`a field twice: ${String(entries)}`, { cause: error });
    }
    return Object.fromEntries(entries) as Record<string, string>;
  }
}

describe('a request for an instant loan', () => {
  it('need only have a mobile number, a PAN and one of the two names', () => {
    expect(read(body())).toEqual({
      applicant: { mobile: '9876543210', pan: 'ABCDE1234F', firstName: 'Asha' },
      consent: { basis: 'AGREEMENT' },
    });
    const byFullName = body({}, { firstName: undefined, fullName: 'Asha Verma' });
    expect(read(byFullName).applicant).toMatchObject({ fullName: 'Asha Verma' });
  });

  it('counts an income of 0 beside the other one as left out, and has a space for a line break', () => {
    const { applicant } = read(
      body({}, { monthlyIncome: 9, annualIncome: 0, addressL2: 'A\r\nB' }),
    );
    expect(applicant).toMatchObject({ monthlyIncome: 9, addressL2: 'A B' });
    expect(applicant).not.toHaveProperty('annualIncome');
  });

  it('takes every field of both variants of initiate, and keeps what was given', () => {
    const customer = {
      fullName: 'Asha Verma',
      lastName: 'Verma',
      dob: '1990-04-15',
      gender: 'FEMALE',
      employmentType: 'selfEmployed',
      monthlyIncome: 60_000,
      annualIncome: 720_000.5,
      companyName: 'Verma Textiles',
      udyamNumber: 'UDYAM-KA-01-0000001',
      pinCode: '560001',
      city: 'Bengaluru',
      state: 'Karnataka',
      addressL1: '12 Residency Road',
      addressL2: 'Ashok Nagar',
      personalEmail: 'asha@example.com',
      officialEmail: 'asha@verma.example',
      termsAccepted: true,
      endUse: 'Home repairs',
    };
    const request = read(body({ loanAmount: 40_000 }, customer));
    expect(request).toEqual({
      loanAmount: 40_000,
      consent: { basis: 'TERMS_ACCEPTED' },
      applicant: { mobile: '9876543210', pan: 'ABCDE1234F', firstName: 'Asha', ...customer },
    });
  });

  it.each<[string, Fields, Fields, Record<string, string>]>([
    ['no mobile', { mobile: undefined }, {}, { mobile: missing(MOBILE) }],
    ['a mobile of a land line', { mobile: '0801234567' }, {}, { mobile: MOBILE }],
    [
      'a mobile that is a number',
      { mobile: 9_876_543_210 },
      {},
      { mobile: `${MOBILE}, as text, not a number` },
    ],
    ['no customer', { customer: undefined }, {}, { customer: missing(CUSTOMER) }],
    ['a customer that is a list', { customer: [] }, {}, { customer: CUSTOMER }],
    ['a customer that is text', { customer: 'Asha' }, {}, { customer: CUSTOMER }],
    ['no PAN', {}, { pan: undefined }, { 'customer.pan': missing(PAN) }],
    ['a PAN in small letters', {}, { pan: 'abcde1234f' }, { 'customer.pan': PAN }],
    ['neither name', {}, { firstName: undefined }, { 'customer.firstName': NAME }],
    ['empty names', {}, { firstName: ' ', fullName: '' }, { 'customer.firstName': NAME }],
    ['a name that is no text', {}, { firstName: {} }, { 'customer.firstName': NAME_RULE }],
    ['a full name with a line break', {}, { fullName: 'A\nB' }, { 'customer.fullName': NAME_RULE }],
    ['a date that is none', {}, { dob: '15-04-1990' }, { 'customer.dob': DOB }],
    [
      'a day that does not exist',
      {},
      { dob: '1990-02-30' },
      { 'customer.dob': 'must be a date that exists, as YYYY-MM-DD' },
    ],
    [
      'somebody of 17',
      {},
      { dob: '2008-06-16' },
      { 'customer.dob': 'must be the date of birth of someone 18 or older' },
    ],
    ['another gender', {}, { gender: 'F' }, { 'customer.gender': expect.any(String) as string }],
    [
      'another employment',
      {},
      { employmentType: 'Salaried' },
      { 'customer.employmentType': 'must be one of salaried, selfEmployed' },
    ],
    ['a negative income', {}, { monthlyIncome: -1 }, { 'customer.monthlyIncome': AMOUNT }],
    [
      'an income as text',
      {},
      { annualIncome: '5' },
      { 'customer.annualIncome': `${AMOUNT}, as a number, not text` },
    ],
    ['a PIN code of five', {}, { pinCode: '56000' }, { 'customer.pinCode': PIN }],
    ['no e-mail address', {}, { personalEmail: 'a@b' }, { 'customer.personalEmail': EMAIL }],
    ['another e-mail address', {}, { officialEmail: '@' }, { 'customer.officialEmail': EMAIL }],
    [
      'terms that are not accepted',
      {},
      { termsAccepted: false },
      { 'customer.termsAccepted': 'must be true: the applicant accepts the terms' },
    ],
    [
      'terms accepted in words',
      {},
      { termsAccepted: 'yes' },
      { 'customer.termsAccepted': 'must be true: the applicant accepts the terms' },
    ],
    [
      'a long Udyam number',
      {},
      { udyamNumber: 'x'.repeat(41) },
      { 'customer.udyamNumber': expect.stringContaining('1 to 40') as string },
    ],
    ['an amount of three decimals', { loanAmount: 1_000.001 }, {}, { loanAmount: AMOUNT }],
    [
      'an amount below the range',
      { loanAmount: 999.99 },
      {},
      { loanAmount: 'must be from ₹1,000 to ₹50,000 for this product' },
    ],
    [
      'an amount above the range',
      { loanAmount: 50_000.01 },
      {},
      { loanAmount: 'must be from ₹1,000 to ₹50,000 for this product' },
    ],
  ])('may not have %s', (_, more, customer, problems) => {
    expect(problemsOf(body(more, customer))).toEqual(problems);
  });

  it('is told of all that is wrong at once', () => {
    const wrong = { pan: 'x', firstName: '', dob: 'x', pinCode: 1, termsAccepted: false };
    expect(Object.keys(problemsOf(body({ mobile: '', loanAmount: 1 }, wrong))).toSorted()).toEqual([
      'customer.dob',
      'customer.firstName',
      'customer.pan',
      'customer.pinCode',
      'customer.termsAccepted',
      'loanAmount',
      'mobile',
    ]);
  });

  it('may have optional fields empty or null, and others that nobody knows', () => {
    const empty = { dob: null, pinCode: '', city: ' ', monthlyIncome: null, termsAccepted: null };
    expect(read(body({ unknown: 1, loanAmount: null }, { ...empty, other: {} }))).toEqual(
      read(body()),
    );
  });

  it('is read or refused, whatever it holds', () => {
    const anything = fc.property(fc.object(), fc.object(), (more, customer) => {
      problemsOf(body(more, customer));
      problemsOf({ ...more, customer });
    });
    expect(() => fc.assert(anything)).not.toThrow();
  });
});
