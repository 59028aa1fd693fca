import { readFileSync } from 'node:fs';
import { ALGORITHMS, type Algorithm } from './detached-jws.ts';

/** The steps with a visit to the lender's pages. */
export const REDIRECT_STEPS = ['KYC', 'MANDATE', 'ESIGN'] as const;

export type RedirectStep = (typeof REDIRECT_STEPS)[number];

/** How a charge is computed: share and flat amount add up; the bounds apply before tax. */
export interface FeeTerms {
  readonly name: string;
  readonly payee: 'LENDER' | 'THIRD_PARTY';
  readonly percentOfPrincipal?: number;
  /** Paise, like all amounts here. */
  readonly flat?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly gstPercent?: number;
}

export interface ContingentCharge {
  readonly name: string;
  readonly description: string;
  /** The charge for an unpaid instalment, as in the protocol: percentages are decimal strings. */
  readonly ifUnpaid?: {
    readonly percentOfInstalment?: string;
    readonly flat?: number;
    readonly gstPercent?: string;
    readonly every: 'MONTH' | 'TIME';
    readonly cause?: 'LATE' | 'BOUNCED';
  };
}

/** The rules that the lender publishes. */
export interface EligibilityTerms {
  readonly minimumMonthlyIncome: number;
  /** The highest amount, in monthly incomes; at most two decimals. */
  readonly maximumMonthlyIncomes?: number;
  readonly employmentTypes?: readonly string[];
  readonly pinPrefixes?: readonly string[];
}

export interface ProductTerms {
  /** A decimal: percent a year on the reducing balance. */
  readonly annualRatePercent: string;
  readonly tenureMonths: number;
  readonly minimumAmount: number;
  readonly maximumAmount: number;
  readonly fees: readonly FeeTerms[];
  /** Like an instant loan: nothing is deducted from the payout. */
  readonly areFeesPaidFirst?: boolean;
  readonly contingentCharges: readonly ContingentCharge[];
  readonly coolingOffDays: number;
  readonly offerValidDays: number;
  readonly eligibility?: EligibilityTerms;
  /** For a gold loan: the price of a gram of 22 carat. */
  readonly gold?: { readonly pricePerGram: number };
  /** The steps of one visit, by its first step; absent: each step has its own visit. */
  readonly covers?: Partial<Record<RedirectStep, readonly RedirectStep[]>>;
}

export interface Branch {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface LenderTerms {
  /** Its path prefix here, and its code in Rinpath's configuration. */
  readonly code: string;
  readonly name: string;
  /** Its kind, as in Rinpath's configuration: `NBFC`, `BANK`. */
  readonly kind: string;
  readonly signsWith: Algorithm;
  readonly branches: readonly Branch[];
  readonly products: Readonly<Record<string, ProductTerms>>;
}

/** @throws Error with a readable message when the file cannot be read or is not valid */
export function readLenders(file: string): LenderTerms[] {
  const { lenders } = JSON.parse(readFileSync(file, 'utf8')) as { lenders?: unknown };
  if (!Array.isArray(lenders) || lenders.length === 0) {
    throw new Error(`${file} has no "lenders".`);
  }
  const read = (lenders as Partial<LenderTerms>[]).map((lender) => readLender(lender, file));
  const codes = new Set(read.map(({ code }) => code));
  if (codes.size < read.length) throw new Error(`${file} has a lender's code twice.`);
  return read;
}

function readLender(lender: Partial<LenderTerms>, file: string): LenderTerms {
  const { code, name, products, signsWith = 'EdDSA' } = lender;
  // The code is part of addresses.
  if (!code || !/^[a-z][a-z0-9-]{1,39}$/.test(code)) {
    throw new Error(
      `${file}: a lender's code must be 2 to 40 lower-case letters, digits and hyphens.`,
    );
  }
  if (!name || !products) throw new Error(`${file}: ${code} needs a name and products.`);
  if (!ALGORITHMS.includes(signsWith)) {
    throw new Error(`${file}: ${code} must sign with ${ALGORITHMS.join(' or ')}.`);
  }
  const { kind = 'NBFC', branches = [] } = lender;
  return { code, name, kind, signsWith, branches, products };
}
