import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import {
  A_NUMBER,
  A_TEXT,
  AMOUNT,
  bodyA,
  CHANNELS,
  CUSTOMER_A,
  INCOME,
  missing,
  INSTANT,
  MOBILE,
  PAN,
  problemsOf,
  PRODUCTS_A,
  read,
  NAME,
  TEXT,
} from './initiate-body-example.js';

const CUSTOMER = 'must be an object with the applicant’s details';

describe('variant A', () => {
  it('is read with all that it says of the applicant, and no unknown field', () => {
    const customer = {
      annualIncome: 1,
      companyName: ' Verma Textiles ',
      udyamNumber: 'UDYAM-KR-01-0000001',
      city: 'Bengaluru',
      state: 'Karnataka',
      addressL1: '12 Residency Road',
      addressL2: '',
      shoeSize: 38,
    };
    expect(read(bodyA({ unknown: 1 }, customer))).toEqual({
      channel: 'API_HEADLESS',
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 200_000,
      consent: { basis: 'AGREEMENT' },
      reference: {},
      applicant: {
        ...CUSTOMER_A,
        mobile: '9876543210',
        annualIncome: 1,
        companyName: 'Verma Textiles',
        udyamNumber: 'UDYAM-KR-01-0000001',
        city: 'Bengaluru',
        state: 'Karnataka',
        addressL1: '12 Residency Road',
      },
    });
  });

  it.each([
    [{ channel: undefined }, {}, 'channel', missing(CHANNELS)],
    [{ productCode: ' ONLINE_INSTANT' }, {}, 'productCode', PRODUCTS_A + INSTANT],
    [{ productCode: 'PERSONAL_LOAN' }, {}, 'productCode', PRODUCTS_A],
    [{ productCode: 'OFFLINE_LAP' }, {}, 'productCode', PRODUCTS_A],
    [{ productCode: 'constructor' }, {}, 'productCode', PRODUCTS_A],
    [{ mobile: '5876543210' }, {}, 'mobile', MOBILE],
    [{ loanAmount: undefined }, {}, 'loanAmount', missing(AMOUNT)],

    [{ loanAmount: 0 }, {}, 'loanAmount', AMOUNT],

    [{ loanAmount: 1_000.005 }, {}, 'loanAmount', AMOUNT],
    [{}, { monthlyIncome: '60000' }, 'customer.monthlyIncome', AMOUNT + A_NUMBER],
    [{}, { fullName: 'A\u0000B' }, 'customer.fullName', NAME],

    [{}, { pan: 'abcde1234f' }, 'customer.pan', PAN],

    [{}, { dob: '15-04-1990' }, 'customer.dob', 'must be a date of birth as YYYY-MM-DD'],
    [{}, { dob: '1990-02-30' }, 'customer.dob', 'must be a valid date, as YYYY-MM-DD'],

    [{}, { gender: 'female' }, 'customer.gender', 'must be one of MALE, FEMALE, OTHER'],
    [
      {},
      { employmentType: 'SALARIED' },
      'customer.employmentType',
      'must be one of salaried, selfEmployed',
    ],
    [{}, { pinCode: '56001' }, 'customer.pinCode', 'must be a PIN code of 6 digits'],
    [{}, { monthlyIncome: undefined }, 'customer.monthlyIncome', INCOME],

    [{}, { monthlyIncome: 0 }, 'customer.monthlyIncome', AMOUNT],
    [{}, { monthlyIncome: undefined, annualIncome: 0 }, 'customer.annualIncome', AMOUNT],
    [
      {},
      { udyamNumber: 'x'.repeat(41) },
      'customer.udyamNumber',
      'must be text of 1 to 40 characters without control characters or more than three combining marks in a row',
    ],
    [{}, { companyName: 5 }, 'customer.companyName', TEXT + A_TEXT],
    [{}, { city: 'x'.repeat(201) }, 'customer.city', TEXT],
    [{}, { state: 'a\nb' }, 'customer.state', TEXT],
    [{}, { addressL1: {} }, 'customer.addressL1', TEXT],
    [{}, { addressL2: true }, 'customer.addressL2', TEXT],
  ])('with %j and %j is refused at %3$s', (more, customer, field, message) => {
    expect(problemsOf(bodyA(more, customer))).toEqual({ [field]: message });
  });

  it('counts an income of 0 beside the other one as left out', () => {
    const { applicant } = read(bodyA({}, { monthlyIncome: 0, annualIncome: 9 }));
    expect([applicant.monthlyIncome, applicant.annualIncome]).toEqual([undefined, 9]);
    expect(problemsOf(bodyA({}, { monthlyIncome: 0, annualIncome: 0 }))).toEqual({
      'customer.monthlyIncome': AMOUNT,
      'customer.annualIncome': AMOUNT,
    });
  });

  it.each(['\n', ' \r \n\n', '\u2028'])(
    'has a space for the line break %j of an address line',
    (lineBreak) => {
      const line = `${lineBreak}12 Residency Road${lineBreak}Ashok Nagar${lineBreak}`;
      const { applicant } = read(bodyA({}, { addressL1: line, addressL2: `A${lineBreak}B` }));
      expect(applicant).toMatchObject({
        addressL1: '12 Residency Road Ashok Nagar',
        addressL2: 'A B',
      });
    },
  );

  it.each([undefined, 'Asha', [{}]])('with a customer of %j is refused', (customer) => {
    const body = {
      channel: 'API_HEADLESS',
      productCode: 'ONLINE_PERSONAL',
      mobile: '9876543210',
    };
    expect(problemsOf({ ...body, loanAmount: 5_000, customer })).toEqual({
      customer: customer === undefined ? missing(CUSTOMER) : CUSTOMER,
    });
  });

  it('names all its bad fields at once, those of several fields and of gold too', () => {
    const problems = problemsOf({
      channel: 'POST',
      productCode: 'ONLINE_GOLD',
      mobile: '1',
      loanAmount: -1,
      customer: { fullName: 'A\tB', pan: 'x', dob: '2015-01-01', pinCode: 'y', udyamNumber: 7 },
      goldLoanDetails: { jewellaryList: [], grams: 'heavy' },
    });
    expect(Object.keys(problems).toSorted()).toEqual(
      [
        'channel',
        'mobile',
        'loanAmount',
        'customer.fullName',
        'customer.pan',
        'customer.dob',
        'customer.gender',
        'customer.employmentType',
        'customer.pinCode',
        'customer.udyamNumber',
        'customer.monthlyIncome',
        'goldLoanDetails.jewellaryList',
        'goldLoanDetails.grams',
      ].toSorted(),
    );
  });
});
