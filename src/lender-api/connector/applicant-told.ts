import { rupeesToPaise } from '../../loans/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import { asPlainText } from '../../platform/index.js';
import type { RequestOf } from '../protocol/questions.js';

type ToldApplicant = RequestOf<'OFFERS'>['applicant'];

/** What is told as it is, where it is known. */
const TEXTS = [
  'fullName',
  'firstName',
  'lastName',
  'dob',
  'companyName',
  'udyamNumber',
  'pinCode',
  'city',
  'state',
  'addressL1',
  'addressL2',
  'personalEmail',
  'officialEmail',
  'endUse',
] as const;
const INCOMES = ['monthlyIncome', 'annualIncome'] as const;
const EMPLOYMENT_TYPES = { salaried: 'SALARIED', selfEmployed: 'SELF_EMPLOYED' } as const;
const GENDERS = ['MALE', 'FEMALE', 'OTHER'] as const;

/** The applicant in the protocol's words: incomes are kept in rupees, and told in paise. */
export function toldApplicant(applicant: LenderApplicant): ToldApplicant {
  const { mobile, pan } = applicant;
  return {
    mobile,
    pan,
    ...known(TEXTS, (name) => textOf(applicant[name])),
    ...known(INCOMES, (name) => paiseOf(applicant[name])),
    ...known(['gender'] as const, (name) => GENDERS.find((one) => one === applicant[name])),
    ...known(['employmentType'] as const, (name) => employmentOf(applicant[name])),
  };
}

function known<Name extends string, Value>(
  names: readonly Name[],
  read: (name: Name) => Value | undefined,
): Partial<Record<Name, Value>> {
  const found = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Partial<
    Record<Name, Value>
  >;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? asPlainText(value) || undefined : undefined;
}

function paiseOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? rupeesToPaise(value) : undefined;
}

function employmentOf(value: unknown): 'SALARIED' | 'SELF_EMPLOYED' | 'OTHER' | undefined {
  if (typeof value !== 'string') return undefined;
  const types: Readonly<Record<string, 'SALARIED' | 'SELF_EMPLOYED'>> = EMPLOYMENT_TYPES;
  return types[value] ?? 'OTHER';
}
