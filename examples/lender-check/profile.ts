import { readFileSync } from 'node:fs';

/** A loan that the lender's test environment offers. Amounts are paise. */
export interface Product {
  readonly productCode: string;
  readonly loanAmount: number;
  /** For a loan against gold. */
  readonly gold?: { readonly grams: string; readonly items: readonly string[] };
}

export interface BankAccount {
  readonly holderName: string;
  readonly type: 'SAVINGS' | 'CURRENT';
  readonly number: string;
  readonly ifsc: string;
}

/** The deciding form field of the lender's pages, and other fields to fill in. */
export interface PageChoice {
  readonly name: string;
  readonly value: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** The lender's description of its test environment, so that every case can run. */
export interface Profile {
  readonly name: string;
  /** The lender's code at Rinpath. */
  readonly code: string;
  readonly loan: Product;
  readonly gold?: Product;
  readonly instant?: Product;
  /** A product with published rules; absent: `remote.eligibility` is not set. */
  readonly eligibility?: Product;
  /** A product with one visit for several steps. */
  readonly covering?: Product;
  readonly applicant: { readonly mobile: string; readonly pan: string } & Record<string, unknown>;
  /** Test identities: declined, or with offers that take a while. */
  readonly pans: { readonly declined?: string; readonly pending?: string };
  readonly accounts: {
    readonly accepted: BankAccount;
    readonly refused?: BankAccount;
    readonly refusedForGood?: BankAccount;
  };
  /** How to answer the lender's pages; absent: a person does. */
  readonly pages?: { readonly approve: PageChoice; readonly decline?: PageChoice };
  /** Its offers expire after some seconds. */
  readonly expiring?: Product;
  /**
   * Calls that make the test environment send its own messages after the payout: posted JSON with `{today}`,
   * `{applicationId}` and `{loanReference}` filled in.
   */
  readonly prompts: readonly { readonly url: string; readonly body: object }[];
  /** Cases that this lender cannot run, by number, with the reason: reported as not run. */
  readonly notRun: Readonly<Record<string, string>>;
}

const USUAL: Profile = {
  name: 'A lender without a profile',
  code: 'lender',
  loan: { productCode: 'ONLINE_PERSONAL', loanAmount: 20_000_000 },
  applicant: {
    mobile: '9876543210',
    pan: 'ABCPE1234F',
    fullName: 'Asha Verma',
    dob: '1990-04-15',
    gender: 'FEMALE',
    employmentType: 'SALARIED',
    monthlyIncome: 6_000_000,
    pinCode: '560001',
  },
  pans: {},
  accounts: {
    accepted: {
      holderName: 'Asha Verma',
      type: 'SAVINGS',
      number: '001234567890',
      ifsc: 'HDFC0001234',
    },
  },
  prompts: [],
  notRun: {},
};

/** @throws Error when the file cannot be read or is not valid */
export function readProfile(file: string | null): Profile {
  if (file === null) return USUAL;
  const written = JSON.parse(readFileSync(file, 'utf8')) as Partial<Profile>;
  const applicant = { ...USUAL.applicant, ...written.applicant };
  const accounts = { ...USUAL.accounts, ...written.accounts };
  const profile: Profile = { ...USUAL, ...written, applicant, accounts };
  for (const name of ['loan', 'gold', 'instant', 'eligibility', 'covering', 'expiring'] as const) {
    const product = profile[name];
    if (product && !(product.productCode && Number.isSafeInteger(product.loanAmount))) {
      throw new Error(`${file}: "${name}" needs productCode and loanAmount (paise).`);
    }
  }
  return profile;
}
