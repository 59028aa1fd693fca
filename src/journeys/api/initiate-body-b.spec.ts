import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import {
  bodyB,
  CUSTOMER_B,
  GOLD,
  INCOME,
  INSTANT,
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
      reference: {},
      applicant: { ...CUSTOMER_B, mobile: '9876543210' },
    });
    const own = { channel: 'API_HOSTED', productCode: 'ONLINE_BUSINESS' } as const;
    expect(read(bodyB(), own)).toMatchObject(own);
    expect(read(bodyB({ ...own, loanAmount: 5.5 }))).toMatchObject({ ...own, loanAmount: 5.5 });
  });

  it.each([
    ['PERSONAL_LOAN', 'ONLINE_PERSONAL'],
    ['GOLD_LOAN', 'ONLINE_GOLD'],
    ['ONLINE_BUSINESS', 'ONLINE_BUSINESS'],
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
    [{ productCode: ' ONLINE_INSTANT' }, {}, 'productCode', PRODUCTS_B + INSTANT],
    [{ productCode: 'LOAN' }, {}, 'productCode', PRODUCTS_B],
    [
      {},
      { termsAccepted: 'true' },
      'customer.termsAccepted',
      'must be true: the applicant accepts the terms',
    ],
    [{}, { annualIncome: undefined }, 'customer.monthlyIncome', INCOME],

    [{}, { firstName: 'x'.repeat(201) }, 'customer.firstName', NAME],
    [{}, { lastName: 'a\u0007' }, 'customer.lastName', NAME],
    [{}, { personalEmail: 'asha' }, 'customer.personalEmail', 'must be an e-mail address'],
    [{}, { officialEmail: 'a@b' }, 'customer.officialEmail', 'must be an e-mail address'],
    [{}, { endUse: 'x'.repeat(201) }, 'customer.endUse', TEXT],
  ])('with %j and %j is refused at %3$s', (more, customer, field, message) => {
    expect(problemsOf(bodyB(more, customer))).toEqual({ [field]: message });
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
