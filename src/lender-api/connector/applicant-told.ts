import { rupeesToPaise } from '../../loans/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import { asPlainText } from '../../platform/index.js';
import type { RequestOf } from '../protocol/questions.js';

type ToldApplicant = RequestOf<'OFFERS'>['applicant'];

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
const EMPLOYMENT_TYPES: Readonly<Record<string, 'SALARIED' | 'SELF_EMPLOYED'>> = {
  salaried: 'SALARIED',
  selfEmployed: 'SELF_EMPLOYED',
};
const GENDERS = ['MALE', 'FEMALE', 'OTHER'] as const;

/** The applicant in the protocol's words: incomes are stored in rupees and sent in paise. */
export function toldApplicant(applicant: LenderApplicant): ToldApplicant {
  const { mobile, pan, gender, employmentType, monthlyIncome, annualIncome } = applicant;
  return {
    mobile,
    pan,
    ...Object.fromEntries(TEXTS.map((name) => [name, textOf(applicant[name])])),
    monthlyIncome: paiseOf(monthlyIncome),
    annualIncome: paiseOf(annualIncome),
    gender: GENDERS.find((one) => one === gender),
    employmentType:
      typeof employmentType === 'string'
        ? (EMPLOYMENT_TYPES[employmentType] ?? 'OTHER')
        : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? asPlainText(value) || undefined : undefined;
}

function paiseOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? rupeesToPaise(value) : undefined;
}
