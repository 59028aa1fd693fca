import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  AcceptedField,
  ChoiceField,
  EmailField,
  type FieldProblem,
  NameField,
  PatternField,
  Rule,
  RupeesField,
  TextField,
} from '../platform/index.js';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MIN_AGE = 18;
const AN_INCOME = 'In rupees; give monthlyIncome or annualIncome.';

interface Presence {
  readonly optional?: boolean;
}

export const MOBILE = /^[6-9]\d{9}$/;
export const PAN = /^[A-Z]{5}[0-9]{4}[A-Z]{1}$/;

export const MobileField = () =>
  PatternField(MOBILE, 'must be a mobile number of 10 digits that starts with 6 to 9', {
    about: 'The applicant’s mobile number, ten digits without a country code.',
    example: '9876543210',
  });

export const PanField = () =>
  PatternField(PAN, 'must be a PAN: five capital letters, four digits, one capital letter', {
    about: 'The applicant’s Permanent Account Number.',
    example: 'ABCDE1234F',
  });

export const FullNameField = ({ optional = false }: Presence = {}) =>
  NameField({ optional, about: 'As on the PAN.', example: 'Asha Verma' });

export const PinCodeField = ({ optional = false }: Presence = {}) =>
  PatternField(/^\d{6}$/, 'must be a PIN code of 6 digits', {
    optional,
    about: 'The PIN code of the applicant’s address.',
    example: '560001',
  });

export const BirthDateField = ({ optional = false }: Presence = {}) =>
  applyDecorators(
    PatternField(DATE, 'must be a date of birth as YYYY-MM-DD', {
      optional,
      about: 'Date of birth, YYYY-MM-DD; the applicant must be 18 or older.',
      example: '1990-04-15',
    }),
    Rule('realDate', isRealDate, 'must be a valid date, as YYYY-MM-DD'),
  );

export const GenderField = ({ optional = false }: Presence = {}) =>
  ChoiceField(['MALE', 'FEMALE', 'OTHER'], { optional, example: 'FEMALE' });

export const EmploymentTypeField = ({ optional = false }: Presence = {}) =>
  ChoiceField(['salaried', 'selfEmployed'], { optional, example: 'salaried' });

export const MonthlyIncomeField = (about = AN_INCOME) =>
  IncomeField('annualIncome', { about, example: 60000 });

export const AnnualIncomeField = (about = AN_INCOME) =>
  IncomeField('monthlyIncome', { about, example: 720000 });

export const UdyamNumberField = () =>
  TextField({
    optional: true,
    most: 40,
    about: 'Udyam registration, for businesses.',
    example: 'UDYAM-KA-01-0000001',
  });

export const FirstNameField = () => NameField({ optional: true, example: 'Asha' });

export const LastNameField = () => NameField({ optional: true, example: 'Verma' });

export const PersonalEmailField = () =>
  EmailField({ optional: true, example: 'asha.verma@example.com' });

export const OfficialEmailField = () =>
  EmailField({ optional: true, example: 'asha@vermatextiles.example' });

export const TermsAcceptedField = ({ optional = false }: Presence = {}) =>
  AcceptedField('must be true: the applicant accepts the terms', {
    optional,
    about: 'The applicant has accepted the terms.',
  });

export const EndUseField = () =>
  TextField({ optional: true, about: 'The purpose of the loan.', example: 'Home repairs' });

function IncomeField(other: string, shown: { about: string; example: number }): PropertyDecorator {
  const { about, example } = shown;
  return applyDecorators(
    RupeesField({
      optional: true,
      about: `${about} 0 counts as left out if the other income is given.`,
      example,
    }),
    Transform(({ value, obj }: { value: unknown; obj: Record<string, unknown> }) =>
      value === 0 && isAboveZero(obj[other]) ? undefined : value,
    ),
  );
}

/** Also for text; an object may not convert to a number. */
function isAboveZero(value: unknown): boolean {
  return typeof value !== 'object' && Number(value) > 0;
}

function isRealDate(value: unknown): boolean {
  const match = typeof value === 'string' ? DATE.exec(value) : null;
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isOfAge(dob: string, today: string): boolean {
  // Not added to the date of birth: a five-digit year does not compare as text.
  const latestYear = Number(today.slice(0, 4)) - MIN_AGE;
  return dob <= `${latestYear}${today.slice(4)}`;
}

/** A field that already has a problem gets no second one. */
export function checkAge(dob: string | undefined, problems: FieldProblem[], today: string): void {
  const field = 'customer.dob';
  if (dob === undefined || problems.some((problem) => problem.field === field)) return;
  if (isOfAge(dob, today)) return;
  problems.push({
    field,
    message: `must be the date of birth of an applicant of ${MIN_AGE} or older`,
  });
}

export function givenFields(details: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

const LINE_BREAKS = /[\r\n\v\f\u0085\u2028\u2029]+/;

export class AddressAndWork {
  @TextField({ optional: true, about: 'Employer or own business.', example: 'Verma Textiles' })
  companyName?: string;

  @TextField({ optional: true, example: 'Bengaluru' })
  city?: string;

  @TextField({ optional: true, example: 'Karnataka' })
  state?: string;

  @AddressLine('First line of the address.', '12 Residency Road')
  addressL1?: string;

  @AddressLine('Second line of the address.', 'Ashok Nagar')
  addressL2?: string;
}

function AddressLine(about: string, example: string): PropertyDecorator {
  return applyDecorators(
    TextField({ optional: true, about: `${about} A line break becomes a space.`, example }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && LINE_BREAKS.test(value) ? onOneLine(value) : value,
    ),
  );
}

/** In linear time: it runs before the length check. */
function onOneLine(text: string): string {
  const lines = text.split(LINE_BREAKS).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
