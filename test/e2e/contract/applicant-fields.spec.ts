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

interface Schema {
  readonly description?: string;
  readonly pattern?: string;
  readonly properties?: Record<string, Schema>;
}

/** Every property with this name at any depth, as `Schema.property`. */
function properties(
  value: unknown,
  isMeant: (name: string) => boolean,
  at = '',
): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.entries((value as Schema).properties ?? {})
    .filter(([name]) => isMeant(name))
    .map(([name, schema]): [string, Schema] => [`${at}.${name}`, schema]);
  const below = Object.entries(value).flatMap(([key, part]) =>
    properties(part, isMeant, at === '' ? key : at),
  );
  return [...own, ...below];
}

function schemasOf(file: string): Record<string, unknown> {
  const document = JSON.parse(readFileSync(projectPath(file), 'utf8')) as {
    components: { schemas: Record<string, unknown> };
  };
  return document.components.schemas;
}

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

describe('the documents', () => {
  it('say it of every name that partners send', () => {
    const schemas = schemasOf('docs/openapi.json');
    const found = properties(schemas, (name) => OF_PEOPLE.test(name));
    const api = FIELDS.slice(0, -2).map(([shape, field]) => `${shape.name}.${field}`);
    expect(found.map(([path]) => path).toSorted()).toEqual(api.toSorted());
    for (const [path, { description }] of found) {
      expect([path, description]).toEqual([path, expect.stringContaining('At least one letter.')]);
    }
  });
});

describe('calls', () => {
  const refused = (shape: new () => object, plain: object) =>
    check(shape, plain).problems.map(({ field }) => field);

  it('take a mobile number and an amount in one form only, unlike the pages', () => {
    const right = { mobile: '9876543210', loanAmount: 60_000 };
    expect(refused(InitiateBodyA, right)).not.toContain('mobile');
    for (const mobile of ['+919876543210', '09876543210', '(98765) 43210', '९८७६५४३२१०'])
      expect(refused(InitiateBodyA, { mobile })).toContain('mobile');
    for (const loanAmount of ['60000', '₹60,000', 'Rs. 60,000/-'])
      expect(refused(InitiateBodyA, { loanAmount })).toContain('loanAmount');
  });

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
