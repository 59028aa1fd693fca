import { type Paise, rupeesToPaise } from '../../loans/index.js';
import type { LenderApplicant } from '../../lenders/index.js';

/**
 * In the order of the questions. Mobile, PAN and date of birth identify a person, so only the partner supplies them.
 */
export const DETAIL_NAMES = ['name', 'gender', 'employment', 'income', 'pin-code'] as const;

export type DetailName = (typeof DETAIL_NAMES)[number];

interface PledgedGold {
  readonly grams: string;
  readonly jewelleryList: readonly string[];
}

export interface ApplicantFile {
  readonly applicant: LenderApplicant;
  readonly gold?: PledgedGold;
  readonly asked?: readonly DetailName[];
}

const GENDERS = ['MALE', 'FEMALE', 'OTHER'] as const;
const EMPLOYMENT_TYPES = ['salaried', 'selfEmployed'] as const;

export type Gender = (typeof GENDERS)[number];
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[number];

export interface DetailChanges {
  readonly fullName?: string;
  readonly gender?: Gender;
  readonly employmentType?: EmploymentType;
  /** In rupees. */
  readonly monthlyIncome?: number;
  readonly pinCode?: string;
}

export interface HostedApplicant {
  readonly fullName: string | null;
  /** The last four digits. */
  readonly maskedMobile: string;
  /** The last four characters. */
  readonly maskedPan: string;
  /** YYYY-MM-DD. */
  readonly dob: string | null;
  readonly gender: Gender | null;
  readonly employmentType: EmploymentType | null;
  readonly monthlyIncome: Paise | null;
  readonly annualIncome: Paise | null;
  readonly pinCode: string | null;
  readonly gold: PledgedGold | null;
}

export function shownApplicant({ applicant, gold }: ApplicantFile): HostedApplicant {
  return {
    fullName: nameOf(applicant),
    maskedMobile: masked(applicant.mobile),
    maskedPan: masked(applicant.pan),
    dob: textOf(applicant.dob),
    gender: choiceOf(GENDERS, applicant.gender),
    employmentType: choiceOf(EMPLOYMENT_TYPES, applicant.employmentType),
    monthlyIncome: amountOf(applicant.monthlyIncome),
    annualIncome: amountOf(applicant.annualIncome),
    pinCode: textOf(applicant.pinCode),
    gold: gold ?? null,
  };
}

export function missingDetails(applicant: HostedApplicant): DetailName[] {
  const given: Record<DetailName, boolean> = {
    name: applicant.fullName !== null,
    gender: applicant.gender !== null,
    employment: applicant.employmentType !== null,
    income: applicant.monthlyIncome !== null || applicant.annualIncome !== null,
    'pin-code': applicant.pinCode !== null,
  };
  return DETAIL_NAMES.filter((name) => !given[name]);
}

/** A new name or income replaces its earlier forms. */
export function withChanges(applicant: LenderApplicant, changes: DetailChanges): LenderApplicant {
  const replaced = new Set<string>([
    ...(changes.fullName === undefined ? [] : ['firstName', 'lastName']),
    ...(changes.monthlyIncome === undefined ? [] : ['annualIncome']),
  ]);
  const kept = Object.entries(applicant).filter(([field]) => !replaced.has(field));
  const { mobile, pan } = applicant;
  return { ...Object.fromEntries(kept), ...changes, mobile, pan };
}

export function masked(value: string): string {
  return `${'•'.repeat(Math.max(0, value.length - 4))}${value.slice(-4)}`;
}

function nameOf({ fullName, firstName, lastName }: LenderApplicant): string | null {
  const parts = [textOf(firstName), textOf(lastName)].filter((part) => part !== null);
  return textOf(fullName) ?? (parts.length > 0 ? parts.join(' ') : null);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function amountOf(value: unknown): Paise | null {
  return typeof value === 'number' ? rupeesToPaise(value) : null;
}

function choiceOf<Choice extends string>(
  choices: readonly Choice[],
  value: unknown,
): Choice | null {
  return choices.find((choice) => choice === value) ?? null;
}
