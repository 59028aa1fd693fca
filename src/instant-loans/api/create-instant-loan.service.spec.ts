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
const NAME = 'is missing; give it or customer.fullName';
const PAN = 'must be a PAN: five capital letters, four digits, one capital letter';
const MOBILE = 'must be a mobile number of 10 digits that starts with 6 to 9';
const DOB = 'must be a date of birth as YYYY-MM-DD';
const EMAIL = 'must be an e-mail address';
const PIN = 'must be a PIN code of 6 digits';
const CUSTOMER = 'must be an object with the applicant’s details';
const RANGE = 'must be from ₹1,000 to ₹50,000 for this product';

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
      reference: {},
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
      reference: {},
      applicant: { mobile: '9876543210', pan: 'ABCDE1234F', firstName: 'Asha', ...customer },
    });
  });

  it.each<[path: string, value: unknown, problem: unknown]>([
    ['mobile', undefined, missing(MOBILE)],
    ['mobile', '0801234567', MOBILE],
    ['customer', undefined, missing(CUSTOMER)],
    ['customer', [], CUSTOMER],
    ['customer.pan', 'abcde1234f', PAN],
    ['customer.firstName', ' ', NAME],
    ['customer.firstName', {}, NAME_RULE],
    ['customer.fullName', 'A\nB', NAME_RULE],
    ['customer.dob', '15-04-1990', DOB],
    ['customer.dob', '2008-06-16', 'must be the date of birth of an applicant of 18 or older'],
    ['customer.gender', 'F', expect.any(String)],
    ['customer.employmentType', 'Salaried', 'must be one of salaried, selfEmployed'],
    ['customer.monthlyIncome', -1, AMOUNT],
    ['customer.annualIncome', '5', `${AMOUNT}, as a number, not text`],
    ['customer.pinCode', '56000', PIN],
    ['customer.officialEmail', 'a@b', EMAIL],
    ['customer.termsAccepted', false, 'must be true: the applicant accepts the terms'],
    ['customer.udyamNumber', 'x'.repeat(41), expect.stringContaining('1 to 40')],
    ['loanAmount', 1_000.001, AMOUNT],
    ['loanAmount', 999.99, RANGE],
    ['loanAmount', 50_000.01, RANGE],
  ])('may not have %s: %j', (path, value, problem) => {
    const own = path.replace('customer.', '');
    const given = own === path ? body({ [path]: value }) : body({}, { [own]: value });
    expect(problemsOf(given)).toEqual({ [path]: problem });
  });

  it('may have optional fields empty or null, and unknown ones', () => {
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
