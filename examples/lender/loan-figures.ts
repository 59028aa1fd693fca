import { annualPercentageRate, monthlyInstalment } from '../partner/loan-arithmetic.ts';
import type { FeeTerms, ProductTerms } from './lender-terms.ts';

/** A one-time charge on one loan, in paise, tax included. */
export interface Fee {
  readonly name: string;
  readonly payee: FeeTerms['payee'];
  readonly amount: number;
  readonly gst: number;
  readonly percentOfPrincipal?: number;
}

/** Amounts in paise. */
export interface LoanFigures {
  readonly fees: readonly Fee[];
  /** To the rupee. */
  readonly instalment: number;
  /** Percent, to two decimals. */
  readonly apr: number;
  readonly netPayout: number;
}

export interface GoldValuation {
  /** The value of the gold. */
  readonly value: number;
  /** The highest loan, to the rupee. */
  readonly cap: number;
  readonly ltvPercent: number;
}

/** No payment gateway takes less, in paise. */
const LEAST_PAYMENT = 100;

/** The rounding error of doubles after a few multiplications. */
const NOISE = 1e-7;

/**
 * The RBI's ceilings for consumption loans against gold (2025). They go by loan amount, so the cap is the largest
 * amount that one of them allows.
 */
const LTV_SLABS = [
  { ceiling: 25_000_000, percent: 85 },
  { ceiling: 50_000_000, percent: 80 },
  { ceiling: Number.POSITIVE_INFINITY, percent: 75 },
];

/** Null when the fees exceed the loan, or are too small to be paid first. */
export function loanFigures(terms: ProductTerms, principal: number): LoanFigures | null {
  const fees = terms.fees.map((fee) => charge(fee, principal));
  const charged = fees.reduce((sum, { amount }) => sum + amount, 0);
  const left = principal - charged;
  const { areFeesPaidFirst = false } = terms;
  if (left <= 0 || (areFeesPaidFirst && charged < LEAST_PAYMENT)) return null;
  const rate = Number(terms.annualRatePercent);
  const exact = monthlyInstalment(principal, rate, terms.tenureMonths);
  // A fee costs the borrower the same, paid first or deducted from the payout.
  const apr = annualPercentageRate(left, exact, terms.tenureMonths);
  const netPayout = areFeesPaidFirst ? principal : left;
  return { fees, instalment: toRupee(exact), apr: roundHalfUp(apr * 100) / 100, netPayout };
}

function charge(fee: FeeTerms, principal: number): Fee {
  const { name, payee, percentOfPrincipal, flat = 0, minimum = 0, gstPercent = 0 } = fee;
  const wanted = Math.max((principal * (percentOfPrincipal ?? 0)) / 100 + flat, minimum);
  const base = Math.min(wanted, fee.maximum ?? wanted);
  const tax = (base * gstPercent) / 100;
  const amount = toRupee(base + tax);
  const gst = amount - toRupee(base);
  // A percentage is stated only if it gives the amount, not if a bound or a flat amount does.
  const isShare =
    percentOfPrincipal !== undefined && base === (principal * percentOfPrincipal) / 100;
  return { name, payee, amount, gst, ...(isShare && { percentOfPrincipal }) };
}

/** @param grams net weight, a decimal as received */
export function valueGold(grams: string, pricePerGram: number): GoldValuation | null {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(grams)) return null;
  const [whole = '0', fraction = ''] = grams.split('.');
  // In whole micrograms, to avoid binary fractions.
  const micrograms = BigInt(whole + fraction.padEnd(6, '0'));
  const value = Number((micrograms * BigInt(pricePerGram)) / 1_000_000n);
  if (value <= 0 || !Number.isSafeInteger(value)) return null;
  const amounts = LTV_SLABS.map(({ ceiling, percent }) => ({
    cap: Math.floor(Math.min(ceiling, (value * percent) / 100) / 100) * 100,
    ltvPercent: percent,
  }));
  // On a tie the first slab counts: a loan of exactly its ceiling belongs to it.
  const best = amounts.reduce((most, next) => (next.cap > most.cap ? next : most));
  return { value, ...best };
}

function toRupee(paise: number): number {
  return roundHalfUp(paise / 100) * 100;
}

function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5 + NOISE);
}
