import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import {
  A_TEXT,
  AMOUNT,
  bodyB,
  CHANNELS,
  CUSTOMER_B,
  GOLD,
  INCOME,
  missing,
  INSTANT,
  MOBILE,
  PAN,
  problemsOf,
  read,
  NAME,
  TEXT,
} from './initiate-body-example.js';

const PRODUCTS_B =
  'must be one of ONLINE_PERSONAL, ONLINE_SHORT_TERM, ONLINE_BUSINESS, ONLINE_GOLD, ' +
  'PERSONAL_LOAN, GOLD_LOAN';

describe('variant B', () => {
  it('takes the defaults of the key for what it leaves out', () => {
    expect(read(bodyB())).toEqual({
      channel: 'API_HEADLESS',
      productCode: 'ONLINE_PERSONAL',
      consent: { basis: 'TERMS_ACCEPTED' },
      applicant: { ...CUSTOMER_B, mobile: '9876543210' },
    });
    const own = { channel: 'API_HOSTED', productCode: 'ONLINE_BUSINESS' } as const;
    expect(read(bodyB(), own)).toMatchObject(own);
  });

  it('goes before the defaults where it says something', () => {
    const body = bodyB({
      channel: 'API_HOSTED',
      productCode: 'ONLINE_SHORT_TERM',
      loanAmount: 5.5,
    });
    expect(read(body)).toMatchObject({
      channel: 'API_HOSTED',
      productCode: 'ONLINE_SHORT_TERM',
      loanAmount: 5.5,
    });
  });

  it.each([
    ['PERSONAL_LOAN', 'ONLINE_PERSONAL'],
    ['GOLD_LOAN', 'ONLINE_GOLD'],
    ['ONLINE_PERSONAL', 'ONLINE_PERSONAL'],
    ['ONLINE_SHORT_TERM', 'ONLINE_SHORT_TERM'],
    ['ONLINE_BUSINESS', 'ONLINE_BUSINESS'],
    ['ONLINE_GOLD', 'ONLINE_GOLD'],
  ])('understands %s as %s', (productCode, code) => {
    expect(read(bodyB({ productCode, goldLoanDetails: GOLD })).productCode).toBe(code);
  });

  it('needs no name, and takes names, addresses and what the loan is for', () => {
    const more = {
      firstName: 'Asha',
      lastName: 'Verma',
      personalEmail: ' asha@example.com ',
      officialEmail: 'asha@work.example.com',
      endUse: 'Wedding',
    };
    expect(read(bodyB({}, more)).applicant).toEqual({
      ...CUSTOMER_B,
      ...more,
      personalEmail: 'asha@example.com',
      mobile: '9876543210',
    });
  });

  it.each([
    [{ channel: 'API' }, {}, 'channel', CHANNELS],
    [{ productCode: ' ONLINE_INSTANT' }, {}, 'productCode', PRODUCTS_B + INSTANT],
    [{ productCode: 'LOAN' }, {}, 'productCode', PRODUCTS_B],
    [{ productCode: { toString: 1 } }, {}, 'productCode', PRODUCTS_B],
    [{ mobile: undefined }, {}, 'mobile', missing(MOBILE)],
    [{ loanAmount: 0 }, {}, 'loanAmount', AMOUNT],
    [{}, { pan: undefined }, 'customer.pan', missing(PAN)],
    [{}, { dob: undefined }, 'customer.dob', missing('must be a date of birth as YYYY-MM-DD')],
    [{}, { pinCode: undefined }, 'customer.pinCode', missing('must be a PIN code of 6 digits')],
    [
      {},
      { termsAccepted: false },
      'customer.termsAccepted',
      'must be true: the applicant accepts the terms',
    ],
    [
      {},
      { termsAccepted: 'true' },
      'customer.termsAccepted',
      'must be true: the applicant accepts the terms',
    ],
    [{}, { annualIncome: undefined }, 'customer.monthlyIncome', INCOME],
    [{}, { annualIncome: -1 }, 'customer.annualIncome', AMOUNT],
    [{}, { monthlyIncome: 0.001 }, 'customer.monthlyIncome', AMOUNT],
    [{}, { firstName: 'x'.repeat(201) }, 'customer.firstName', NAME],
    [{}, { lastName: 'a\u0007' }, 'customer.lastName', NAME],
    [{}, { personalEmail: 'asha' }, 'customer.personalEmail', 'must be an e-mail address'],
    [{}, { officialEmail: 'a@b' }, 'customer.officialEmail', 'must be an e-mail address'],
    [{}, { companyName: [] }, 'customer.companyName', TEXT],
    [{}, { city: 1 }, 'customer.city', TEXT + A_TEXT],
    [{}, { state: 1 }, 'customer.state', TEXT + A_TEXT],
    [{}, { addressL1: 1 }, 'customer.addressL1', TEXT + A_TEXT],
    [{}, { addressL2: 1 }, 'customer.addressL2', TEXT + A_TEXT],
    [{}, { endUse: 'x'.repeat(201) }, 'customer.endUse', TEXT],
  ])('with %j and %j is refused at %3$s', (more, customer, field, message) => {
    expect(problemsOf(bodyB(more, customer))).toEqual({ [field]: message });
  });

  it('counts an income of 0 beside the other one as left out, and has a space for a line break', () => {
    const customer = { monthlyIncome: 0, annualIncome: 9, addressL1: 'A\nB' };
    const { applicant } = read(bodyB({}, customer));
    expect(applicant).toMatchObject({ annualIncome: 9, addressL1: 'A B' });
    expect(applicant).not.toHaveProperty('monthlyIncome');
  });

  it('names all its bad fields at once', () => {
    expect(Object.keys(problemsOf({ customer: {}, productCode: 'GOLD_LOAN' })).toSorted()).toEqual(
      [
        'mobile',
        'customer.pan',
        'customer.dob',
        'customer.pinCode',
        'customer.termsAccepted',
        'customer.monthlyIncome',
        'goldLoanDetails',
      ].toSorted(),
    );
  });
});
