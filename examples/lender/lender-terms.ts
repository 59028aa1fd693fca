import { readFileSync } from 'node:fs';
import { ALGORITHMS, type Algorithm } from './detached-jws.ts';

/** The steps for which the applicant visits the lender's pages. */
export const REDIRECT_STEPS = ['KYC', 'MANDATE', 'ESIGN'] as const;

export type RedirectStep = (typeof REDIRECT_STEPS)[number];

/** How a charge is computed: the share and the flat amount add up, the bounds apply before tax. */
export interface FeeTerms {
  readonly name: string;
  readonly payee: 'LENDER' | 'THIRD_PARTY';
  readonly percentOfPrincipal?: number;
  /** Paise, as all amounts here. */
  readonly flat?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly gstPercent?: number;
}

export interface ContingentCharge {
  readonly name: string;
  readonly description: string;
  /** What it comes to for an unpaid instalment, as the protocol words it: percentages are decimal strings. */
  readonly ifUnpaid?: {
    readonly percentOfInstalment?: string;
    readonly flat?: number;
    readonly gstPercent?: string;
    readonly every: 'MONTH' | 'TIME';
    readonly cause?: 'LATE' | 'BOUNCED';
  };
}

export interface ProductTerms {
  /** A decimal: percent a year on the reducing balance. */
  readonly annualRatePercent: string;
  readonly tenureMonths: number;
  readonly minimumAmount: number;
  readonly maximumAmount: number;
  readonly fees: readonly FeeTerms[];
  /** As of an instant loan: nothing is taken off the payout. */
  readonly areFeesPaidFirst?: boolean;
  readonly contingentCharges: readonly ContingentCharge[];
  readonly coolingOffDays: number;
  readonly offerValidDays: number;
  /** For a loan against gold: the price of a gram of 22 carat. */
  readonly gold?: { readonly pricePerGram: number };
  /** What one visit deals with, by the step that it begins with; left out, each step has its own. */
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
  /** What it is, in the words of Rinpath's configuration: `NBFC`, `BANK`. */
  readonly kind: string;
  readonly signsWith: Algorithm;
  readonly branches: readonly Branch[];
  readonly products: Readonly<Record<string, ProductTerms>>;
}

/** @throws Error with a message for the reader when the file cannot be read or used */
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
    throw new Error(`${file}: a lender's code is two to forty small letters, digits and hyphens.`);
  }
  if (!name || !products) throw new Error(`${file}: ${code} needs a name and products.`);
  if (!ALGORITHMS.includes(signsWith)) {
    throw new Error(`${file}: ${code} signs with ${ALGORITHMS.join(' or ')}.`);
  }
  const { kind = 'NBFC', branches = [] } = lender;
  return { code, name, kind, signsWith, branches, products };
}
