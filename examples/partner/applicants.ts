import { randomInt } from 'node:crypto';

interface Applicant {
  mobile: string;
  customer: object;
}

export const BANK_ACCOUNT = {
  acctype: 'SAVINGS',
  accNo: '50100123456789',
  ifscCode: 'HDFC0001234',
} as const;

/** Customer details for calls with channel and productCode. */
export function createApplicantA(fullName: string, pan = randomPan()) {
  return {
    mobile: randomMobile(),
    customer: {
      fullName,
      pan,
      dob: '1990-05-17',
      gender: 'FEMALE' as const,
      employmentType: 'salaried' as const,
      monthlyIncome: 85_000,
      companyName: 'Example Textiles',
      pinCode: '560001',
      city: 'Bengaluru',
      state: 'Karnataka',
    },
  };
}

/** Customer details for the short form of initiate. */
export function createApplicantB(firstName: string, lastName: string, pan: string) {
  return {
    mobile: randomMobile(),
    customer: {
      firstName,
      lastName,
      pan,
      dob: '1988-11-02',
      personalEmail: `${firstName}.${lastName}@example.com`.toLowerCase(),
      pinCode: '411001',
      annualIncome: 900_000,
      termsAccepted: true as const,
    },
  };
}

/** Personal data of the applicant, which must not appear in a webhook. */
export function personalDataOf(applicant: Applicant): string[] {
  const named = ['fullName', 'firstName', 'lastName', 'pan', 'dob', 'personalEmail'];
  const customer: Readonly<Record<string, unknown>> = { ...applicant.customer };
  const values = named.map((field) => customer[field] ?? '').map(String);
  const words = values.flatMap((value) => value.split(' '));
  return [applicant.mobile, BANK_ACCOUNT.accNo, ...values, ...words].filter(
    (value) => value !== '',
  );
}

function randomMobile(): string {
  return String(randomInt(6_000_000_000, 10_000_000_000));
}

/** The fourth letter P marks a person; it also avoids the sandbox's reserved SANDX. */
function randomPan(): string {
  const letter = () => String.fromCharCode(65 + randomInt(26));
  const digits = String(randomInt(10_000)).padStart(4, '0');
  return `${letter()}${letter()}${letter()}P${letter()}${digits}${letter()}`;
}
