import 'reflect-metadata';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../platform/index.js';
import { readInitiateRequest } from './read-initiate-request.js';

type Fields = Record<string, unknown>;

const TODAY = '2026-06-15';
const DEFAULTS = { channel: 'API_HEADLESS', productCode: 'ONLINE_PERSONAL' } as const;

const CUSTOMER_A: Fields = {
  fullName: 'Asha Verma',
  pan: 'ABCDE1234F',
  dob: '1990-04-15',
  gender: 'FEMALE',
  employmentType: 'salaried',
  monthlyIncome: 60_000,
  pinCode: '560001',
};

const CUSTOMER_B: Fields = {
  pan: 'ABCDE1234F',
  dob: '1990-04-15',
  pinCode: '560001',
  termsAccepted: true,
  annualIncome: 720_000,
};

const GOLD = { jewellaryList: ['necklace'], grams: '42.5' };

const missing = (rule: string) => `is missing; it ${rule}`;
const A_NUMBER = ', as a number, not text';
const A_TEXT = ', as text, not a number';

const TEXT = 'must be text of 1 to 200 characters without control characters';
const AMOUNT = 'must be an amount in rupees above zero with at most two decimals';
const INCOME = 'is missing; it must be given, above zero, unless customer.annualIncome is';
const LIST = 'must be a list of 1 to 50 descriptions';
const ITEMS = 'must hold descriptions of 1 to 200 characters without control characters';
const GRAMS =
  'must be a weight in grams above zero, with at most 7 digits before the point and 4 after it';
const TERMS = 'is missing; it must be true: the applicant accepts the terms';
const PAN = 'must be a PAN: five capital letters, four digits, one capital letter';
const MOBILE = 'must be a mobile number of 10 digits that starts with 6 to 9';
const CUSTOMER = 'must be an object with the applicant’s details';
const CHANNELS = 'must be one of API_HOSTED, API_HEADLESS';
const PRODUCTS_B =
  'must be one of ONLINE_PERSONAL, ONLINE_SHORT_TERM, ONLINE_BUSINESS, ONLINE_GOLD, ' +
  'PERSONAL_LOAN, GOLD_LOAN';
const PRODUCTS_A =
  'must be one of ONLINE_PERSONAL, ONLINE_SHORT_TERM, ONLINE_BUSINESS, ONLINE_GOLD';

function bodyA(more: Fields = {}, customer: Fields = {}): Fields {
  return {
    channel: 'API_HEADLESS',
    productCode: 'ONLINE_PERSONAL',
    mobile: '9876543210',
    loanAmount: 200_000,
    customer: { ...CUSTOMER_A, ...customer },
    ...more,
  };
}

function bodyB(more: Fields = {}, customer: Fields = {}): Fields {
  return { mobile: '9876543210', customer: { ...CUSTOMER_B, ...customer }, ...more };
}

function read(body: Fields, defaults: Parameters<typeof readInitiateRequest>[1] = DEFAULTS) {
  return readInitiateRequest(body, defaults, TODAY, []);
}

/** What is wrong with a body, by field; an empty object when nothing is. */
function problemsOf(body: Fields, today = TODAY): Record<string, string> {
  try {
    readInitiateRequest(body, DEFAULTS, today, []);
    return {};
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'validation_failed') throw error;
    const entries = error.details!.map(({ field, message }) => [field, message]);
    const fields = new Set(entries.map(([field]) => field));
    if (fields.size < entries.length)
      throw new Error(`a field twice: ${String(entries)}`, { cause: error });
    return Object.fromEntries(entries) as Record<string, string>;
  }
}

/** Text as JSON.parse leaves it: `__proto__` becomes a field like any other. */
function parsed(text: string): Fields {
  return JSON.parse(text) as Fields;
}

describe('which variant a body is', () => {
  it('is A when the customer has a full name, whatever else is there', () => {
    const { termsAccepted: _, ...rest } = CUSTOMER_B;
    const problems = problemsOf({ customer: { ...rest, fullName: 'Asha Verma' } });
    expect(problems).toMatchObject({
      channel: missing(CHANNELS),
      productCode: missing(PRODUCTS_A),
    });
    expect(problems).toHaveProperty(['customer.gender']);
    expect(problems).not.toHaveProperty(['customer.termsAccepted']);
  });

  it('is A when channel and product are named and nothing of B’s own is there', () => {
    const { fullName: _, ...rest } = CUSTOMER_A;
    expect(problemsOf(bodyA({ customer: rest }))).toEqual({
      'customer.fullName': expect.stringContaining(missing(TEXT)) as string,
    });
  });

  it.each(['firstName', 'lastName', 'personalEmail', 'officialEmail', 'termsAccepted', 'endUse'])(
    'is B when channel and product are named and the customer has %s',
    (field) => {
      const customer = { ...CUSTOMER_B, termsAccepted: undefined, [field]: 'x@example.com' };
      const named = { channel: 'API_HEADLESS', productCode: 'ONLINE_PERSONAL' };
      expect(problemsOf(bodyB({ ...named, customer }))).toEqual({
        'customer.termsAccepted': field === 'termsAccepted' ? TERMS.slice(15) : TERMS,
      });
    },
  );

  it('is B when channel or product is not named, or the product only by an alias', () => {
    for (const named of [
      {},
      { channel: 'API_HEADLESS' },
      { productCode: 'ONLINE_PERSONAL' },
      { channel: 'API_HEADLESS', productCode: 'PERSONAL_LOAN' },
    ]) {
      const customer = { ...CUSTOMER_B, termsAccepted: undefined };
      expect(problemsOf(bodyB({ ...named, customer }))).toEqual({
        'customer.termsAccepted': TERMS,
      });
    }
  });

  it('takes an empty or null field for one that is not there', () => {
    const blank = { fullName: '', termsAccepted: null, firstName: '' };
    expect(problemsOf(bodyA({}, blank))).toEqual({
      'customer.fullName': expect.stringContaining(TEXT) as string,
    });
  });
});

describe('a body with channel and product that has neither a full name nor a field of B’s own', () => {
  const READ_AS_A =
    'The body was read as variant A, since it has channel and productCode and none of variant B’s ' +
    'own fields (firstName, lastName, personalEmail, officialEmail, termsAccepted, endUse). ';
  const named = { channel: 'API_HEADLESS', productCode: 'ONLINE_PERSONAL' };

  it('is told of both readings, and that B is the shorter way where it is', () => {
    const body = bodyB({ ...named, customer: { ...CUSTOMER_B, termsAccepted: undefined } });
    const told = problemsOf(body)['customer.fullName'];
    expect(told).toBe(
      `${missing(TEXT)}. ${READ_AS_A}As variant A it needs loanAmount, customer.fullName, ` +
        'customer.gender, customer.employmentType; as variant B it needs customer.termsAccepted. ' +
        'The shorter way is variant B',
    );
  });

  it('is right by that way', () => {
    expect(problemsOf(bodyB(named))).toEqual({});
  });

  it('is told that A is the shorter way where it is', () => {
    const told = problemsOf(bodyA({}, { fullName: undefined }))['customer.fullName'];
    expect(told).toBe(
      `${missing(TEXT)}. ${READ_AS_A}As variant A it needs customer.fullName; as variant B it needs ` +
        'customer.termsAccepted. The shorter way is variant A',
    );
  });
});

describe('variant A', () => {
  it('is read with all that it says of the applicant, and nothing that nobody knows', () => {
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
    [{ channel: 'API' }, {}, 'channel', CHANNELS],
    [{ productCode: 'ONLINE_INSTANT' }, {}, 'productCode', PRODUCTS_A],
    [{ productCode: 'PERSONAL_LOAN' }, {}, 'productCode', PRODUCTS_A],
    [{ productCode: 'OFFLINE_LAP' }, {}, 'productCode', PRODUCTS_A],
    [{ productCode: { toString: 1 } }, {}, 'productCode', PRODUCTS_A],
    [{ productCode: ['ONLINE_GOLD'] }, {}, 'productCode', PRODUCTS_A],
    [{ productCode: 'constructor' }, {}, 'productCode', PRODUCTS_A],
    [{ mobile: '5876543210' }, {}, 'mobile', MOBILE],
    [{ mobile: '98765432100' }, {}, 'mobile', MOBILE],
    [{ mobile: 9_876_543_210 }, {}, 'mobile', MOBILE + A_TEXT],
    [{ loanAmount: undefined }, {}, 'loanAmount', missing(AMOUNT)],
    [{ loanAmount: null }, {}, 'loanAmount', missing(AMOUNT)],
    [{ loanAmount: 0 }, {}, 'loanAmount', AMOUNT],
    [{ loanAmount: -5 }, {}, 'loanAmount', AMOUNT],
    [{ loanAmount: 1_000.005 }, {}, 'loanAmount', AMOUNT],
    [{ loanAmount: '200000' }, {}, 'loanAmount', AMOUNT + A_NUMBER],
    [{}, { monthlyIncome: '60000' }, 'customer.monthlyIncome', AMOUNT + A_NUMBER],
    [{}, { pinCode: 560_001 }, 'customer.pinCode', `must be a PIN code of 6 digits${A_TEXT}`],
    [{}, { pan: undefined }, 'customer.pan', missing(PAN)],
    [{}, { fullName: 'A\u0000B' }, 'customer.fullName', TEXT],
    [{}, { fullName: 'x'.repeat(201) }, 'customer.fullName', TEXT],
    [{}, { pan: 'abcde1234f' }, 'customer.pan', PAN],
    [{}, { pan: 'ABCDE12345' }, 'customer.pan', PAN],
    [{}, { dob: '15-04-1990' }, 'customer.dob', 'must be a date of birth as YYYY-MM-DD'],
    [{}, { dob: '1990-02-30' }, 'customer.dob', 'must be a date that exists, as YYYY-MM-DD'],
    [{}, { dob: '2001-02-29' }, 'customer.dob', 'must be a date that exists, as YYYY-MM-DD'],
    [{}, { dob: '1990-13-01' }, 'customer.dob', 'must be a date that exists, as YYYY-MM-DD'],
    [{}, { gender: 'female' }, 'customer.gender', 'must be one of MALE, FEMALE, OTHER'],
    [
      {},
      { employmentType: 'SALARIED' },
      'customer.employmentType',
      'must be one of salaried, selfEmployed',
    ],
    [{}, { pinCode: '56001' }, 'customer.pinCode', 'must be a PIN code of 6 digits'],
    [{}, { monthlyIncome: undefined }, 'customer.monthlyIncome', INCOME],
    [{}, { monthlyIncome: null }, 'customer.monthlyIncome', INCOME],
    [{}, { monthlyIncome: 0 }, 'customer.monthlyIncome', AMOUNT],
    [{}, { annualIncome: 0 }, 'customer.annualIncome', AMOUNT],
    [
      {},
      { udyamNumber: 'x'.repeat(41) },
      'customer.udyamNumber',
      'must be text of 1 to 40 characters without control characters',
    ],
    [{}, { companyName: 5 }, 'customer.companyName', TEXT + A_TEXT],
    [{}, { city: 'x'.repeat(201) }, 'customer.city', TEXT],
    [{}, { state: 'a\nb' }, 'customer.state', TEXT],
    [{}, { addressL1: {} }, 'customer.addressL1', TEXT],
    [{}, { addressL2: true }, 'customer.addressL2', TEXT],
  ])('with %j and %j is refused at %3$s', (more, customer, field, message) => {
    expect(problemsOf(bodyA(more, customer))).toEqual({ [field]: message });
  });

  it.each([undefined, null, 'Asha', 5, [], [{}]])(
    'with a customer of %j is refused',
    (customer) => {
      const body = {
        channel: 'API_HEADLESS',
        productCode: 'ONLINE_PERSONAL',
        mobile: '9876543210',
      };
      expect(problemsOf({ ...body, loanAmount: 5_000, customer })).toEqual({
        customer: customer === undefined || customer === null ? missing(CUSTOMER) : CUSTOMER,
      });
    },
  );

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

describe('variant B', () => {
  it('takes the defaults of the key for what it leaves out', () => {
    expect(read(bodyB())).toEqual({
      channel: 'API_HEADLESS',
      productCode: 'ONLINE_PERSONAL',
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
    [{ productCode: 'ONLINE_INSTANT' }, {}, 'productCode', PRODUCTS_B],
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
    [{}, { firstName: 'x'.repeat(201) }, 'customer.firstName', TEXT],
    [{}, { lastName: 'a\u0007' }, 'customer.lastName', TEXT],
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

describe('the gold', () => {
  const gold = (goldLoanDetails: unknown) =>
    bodyA({
      productCode: 'ONLINE_GOLD',
      ...(goldLoanDetails !== undefined && { goldLoanDetails }),
    });

  it('is read under the contract’s spelling and under the dictionary’s', () => {
    const expected = { grams: '42.5', jewelleryList: ['necklace'] };
    expect(read(gold(GOLD)).gold).toEqual(expected);
    expect(read(gold({ jewelleryList: [' necklace '], grams: ' 42.5 ' })).gold).toEqual(expected);
  });

  it.each([undefined, null, 'gold', [GOLD]])('is needed for a gold loan: %j', (given) => {
    const rule = 'must be an object with jewellaryList and grams when the product is ONLINE_GOLD';
    const isThere = given !== undefined && given !== null;
    expect(problemsOf(gold(given))).toEqual({ goldLoanDetails: isThere ? rule : missing(rule) });
  });

  it.each([
    [{ ...GOLD, jewellaryList: [] }, 'jewellaryList', LIST],
    [{ ...GOLD, jewellaryList: 'necklace' }, 'jewellaryList', LIST],
    [{ ...GOLD, jewellaryList: Array.from({ length: 51 }, () => 'ring') }, 'jewellaryList', LIST],
    [{ ...GOLD, jewellaryList: ['ring', ' '] }, 'jewellaryList', ITEMS],
    [{ ...GOLD, jewellaryList: [5] }, 'jewellaryList', ITEMS],
    [{ ...GOLD, jewellaryList: ['x'.repeat(201)] }, 'jewellaryList', ITEMS],
    [{ ...GOLD, jewellaryList: ['ring', 'ne\u0000cklace'] }, 'jewellaryList', ITEMS],
    [{ ...GOLD, grams: 42.5 }, 'grams', GRAMS + A_TEXT],
    [{ ...GOLD, grams: undefined }, 'grams', missing(GRAMS)],
    [{ ...GOLD, grams: '12345678' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '1.23456' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '0' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '0.000' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '-1' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '1e3' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '4,5' }, 'grams', GRAMS],
  ])('is refused: %j', (given, field, message) => {
    expect(problemsOf(gold(given))).toEqual({ [`goldLoanDetails.${field}`]: message });
  });

  it('may be fifty pieces', () => {
    const jewellaryList = Array.from({ length: 50 }, () => 'ring');
    expect(problemsOf(gold({ ...GOLD, jewellaryList }))).toEqual({});
  });

  it('is ignored for every other product, however wrong', () => {
    expect(read(bodyA({ goldLoanDetails: 'none' }))).not.toHaveProperty('gold');
  });
});

describe('coming of age', () => {
  const born = (dob: string, today: string) => problemsOf(bodyA({}, { dob }), today);
  const MINOR = { 'customer.dob': 'must be the date of birth of someone 18 or older' };

  it('is on the eighteenth birthday and not the day before', () => {
    expect(born('2008-06-15', '2026-06-14')).toEqual(MINOR);
    expect(born('2008-06-15', '2026-06-15')).toEqual({});
  });

  it('of those born on a leap day is on the first of March of a common year', () => {
    expect(born('2008-02-29', '2026-02-28')).toEqual(MINOR);
    expect(born('2008-02-29', '2026-03-01')).toEqual({});
  });

  it.each(['2026-06-16', '2027-01-01', '9981-12-31', '9982-01-01', '9999-12-31'])(
    'has not been reached by who is born after today: %s',
    (dob) => {
      expect(born(dob, '2026-06-15')).toEqual(MINOR);
    },
  );

  it.each(['0000-01-01', '0001-01-01', '0999-12-31', '1899-12-31'])(
    'is not looked at for %s, a year that no applicant is born in',
    (dob) => {
      const problem = 'must be a date that exists, as YYYY-MM-DD';
      expect(born(dob, '2026-06-15')).toEqual({ 'customer.dob': problem });
    },
  );

  it('is in variant B, too', () => {
    expect(problemsOf(bodyB({}, { dob: '2008-06-16' }))).toEqual(MINOR);
  });
});

describe('a hostile body', () => {
  it('cannot smuggle anything in through __proto__ or constructor', () => {
    const customer = JSON.stringify(CUSTOMER_A).slice(1, -1);
    const body = parsed(
      `{"__proto__":{"loanAmount":9},"constructor":{"prototype":{"polluted":1}},
        "channel":"API_HEADLESS","productCode":"ONLINE_PERSONAL","mobile":"9876543210",
        "loanAmount":5000,
        "customer":{"__proto__":{"polluted":true,"city":"Pune"},${customer}}}`,
    );
    const request = read(body);
    expect(JSON.parse(JSON.stringify(request.applicant))).toEqual({
      ...CUSTOMER_A,
      mobile: '9876543210',
    });
    expect(request.loanAmount).toBe(5_000);
    expect(({} as Fields).polluted).toBeUndefined();
    expect((request.applicant as Fields).city).toBeUndefined();
  });

  it('cannot fill a required field in from __proto__', () => {
    const body = parsed('{"mobile":"9876543210","customer":{"__proto__":{"pan":"ABCDE1234F"}}}');
    expect(problemsOf(body)).toHaveProperty(['customer.pan'], missing(PAN));
  });

  it('is refused or read, but never breaks the reader', () => {
    const text = fc.oneof(fc.jsonValue(), fc.constantFrom({ toString: 1 }, { valueOf: null }));
    const anyBody = fc.record(
      {
        channel: fc.oneof(fc.constant('API_HOSTED'), text),
        productCode: fc.oneof(fc.constantFrom('ONLINE_GOLD', 'GOLD_LOAN'), text),
        mobile: text,
        loanAmount: text,
        goldLoanDetails: fc.oneof(text, fc.record({ jewellaryList: text, grams: text })),
        customer: fc.oneof(
          text,
          fc.record(
            { fullName: text, pan: text, dob: text, monthlyIncome: text, termsAccepted: text },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyBody, (body) => {
        // Anything but a refusal that names fields is thrown on by `problemsOf`.
        expect(Object.keys(problemsOf(body)).length).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
