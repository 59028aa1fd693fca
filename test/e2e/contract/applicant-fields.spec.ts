import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DETAIL_FIELDS } from '../../../src/applicant-web/entry/detail-forms.js';
import { BankAccountForm } from '../../../src/applicant-web/steps/bank-account.controller.js';
import {
  InstantCustomer,
  InstantLoanBody,
} from '../../../src/instant-loans/api/instant-loan.dto.js';
import {
  CustomerA,
  CustomerB,
  InitiateBodyA,
} from '../../../src/journeys/api/initiate-body.dto.js';
import { BankAccountPayload } from '../../../src/journeys/use-cases/action-body.dto.js';
import { projectPath } from '../../../src/platform/index.js';
import { check } from '../../../src/platform/validation/validated.js';

interface Shape {
  readonly properties?: Record<string, { readonly description: string }>;
}

const LETTER = /At least one letter\./;
const OF_PEOPLE = /^(fullName|firstName|lastName|accHolderName)$/;
const NO_NAMES = ['.', '-', '12', '\u200d', '\u3164', '\u0901'];
const NAMES = ['A', 'Asha Verma', 'अश्विनी श्री', 'र्\u200dय', 'D’Souza'];

const FIELDS: [new () => object, string][] = [
  [CustomerA, 'fullName'],
  [CustomerB, 'firstName'],
  [CustomerB, 'lastName'],
  [InstantCustomer, 'fullName'],
  [InstantCustomer, 'firstName'],
  [InstantCustomer, 'lastName'],
  [BankAccountPayload, 'accHolderName'],
  [BankAccountForm, 'accHolderName'],
  [DETAIL_FIELDS.name.form, 'fullName'],
];

describe.each(FIELDS)('the name of a person in %o: %s', (shape, field) => {
  const isRefused = (name: string) =>
    check(shape, { [field]: name }).problems.some((problem) => problem.field === field);

  it('has at least one letter', () => {
    expect(NO_NAMES.filter((name) => !isRefused(name))).toEqual([]);
    expect(NAMES.filter(isRefused)).toEqual([]);
  });
});

it('the document says so of every name of a person that partners send, and of no other field', () => {
  const { components } = JSON.parse(readFileSync(projectPath('docs/openapi.json'), 'utf8'));
  const fields = Object.entries<Shape>(components.schemas).flatMap(([shape, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([name, { description }]) => OF_PEOPLE.test(name) || LETTER.test(description))
      .map(([name, { description }]) => `${shape}.${name} ${LETTER.test(description)}`),
  );
  const sent = FIELDS.slice(0, -2).map(([shape, field]) => `${shape.name}.${field} true`);
  expect(fields.toSorted()).toEqual(sent.toSorted());
});

describe('calls', () => {
  const refused = (shape: new () => object, plain: object) =>
    check(shape, plain).problems.map(({ field }) => field);

  it.each([
    [InitiateBodyA, 'consent', ''],
    [InitiateBodyA, 'consent', 'lenderCodes'],
    [InstantLoanBody, 'consent', ''],
    [InstantLoanBody, 'consent', 'lenderCodes'],
  ])('refuse by its field an optional object or list that cannot be read: %o %s %s', (...part) => {
    const [shape, field, list] = part;
    const path = list === '' ? field : `${field}.${list}`;
    for (const value of ['x', '', 5, true, list === '' ? [{}] : {}]) {
      const fields = refused(shape, { [field]: list === '' ? value : { [list]: value } });
      expect([value, fields.filter((one) => one.startsWith(path))]).toEqual([value, [path]]);
    }
  });
});
