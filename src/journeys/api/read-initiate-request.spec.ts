import 'reflect-metadata';

import { describe, expect, it } from 'vitest';
import {
  AMOUNT,
  bodyA,
  bodyB,
  CHANNELS,
  CUSTOMER_A,
  CUSTOMER_B,
  type Fields,
  missing,
  problemsOf,
  PRODUCTS_A,
  read,
  NAME,
} from './initiate-body-example.js';

const TERMS = 'is missing; it must be true: the applicant accepts the terms';

/** As JSON.parse leaves it: `__proto__` becomes an ordinary field. */
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
      'customer.fullName': expect.stringContaining(missing(NAME)) as string,
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
      'customer.fullName': expect.stringContaining(NAME) as string,
    });
  });
});

describe('a body with channel and product that has neither a full name nor a field of B’s own', () => {
  const READ_AS_A =
    'The body was read as variant A: it has channel and productCode, and no variant B ' +
    'fields (firstName, lastName, personalEmail, officialEmail, termsAccepted, endUse). ';
  const named = { channel: 'API_HEADLESS', productCode: 'ONLINE_PERSONAL' };

  it('names both readings, and says when B is the shorter one', () => {
    const body = bodyB({ ...named, customer: { ...CUSTOMER_B, termsAccepted: undefined } });
    expect(problemsOf(bodyB(named))).toEqual({});
    const message = problemsOf(body)['customer.fullName'];
    expect(message).toBe(
      `${missing(NAME)}. ${READ_AS_A}As variant A it needs loanAmount, customer.fullName, ` +
        'customer.gender, customer.employmentType; as variant B it needs customer.termsAccepted. ' +
        'Variant B needs fewer fields',
    );
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

  it('keeps every key of the metadata', () => {
    const metadata = '{"constructor":"Verma Builders","toString":"a","note":""}';
    const { reference } = read(bodyB({ metadata: parsed(metadata) }));
    expect(JSON.stringify(reference.metadata)).toBe(metadata);
    const nested = parsed('{"note":{"constructor":"x"}}');
    expect(Object.keys(problemsOf(bodyB({ metadata: nested })))).toEqual(['metadata']);
  });

  it('is refused where an income is an object that converts to no number', () => {
    const hostile = { toString: 1, valueOf: 1 };
    expect(problemsOf(bodyA({}, { monthlyIncome: 0, annualIncome: hostile }))).toEqual({
      'customer.monthlyIncome': AMOUNT,
      'customer.annualIncome': AMOUNT,
    });
  });
});
