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
  /** What the gold is worth. */
  readonly value: number;
  /** The most that is lent on it, to the rupee. */
  readonly cap: number;
  readonly ltvPercent: number;
}

/** No payment gateway takes less, in paise. */
const LEAST_PAYMENT = 100;

/** What doubles leave of an exact half after a few multiplications. */
const NOISE = 1e-7;

/**
 * The ceilings of the Reserve Bank's rules on gold loans for consumption (2025): they go by the
 * amount of the loan, so the most that may be lent is the largest that one of them allows.
 */
const LTV_SLABS = [
  { ceiling: 25_000_000, percent: 85 },
  { ceiling: 50_000_000, percent: 80 },
  { ceiling: Number.POSITIVE_INFINITY, percent: 75 },
];

/** Answers null when the fees leave nothing of the loan, or are too small to be paid first. */
export function loanFigures(terms: ProductTerms, principal: number): LoanFigures | null {
  const fees = terms.fees.map((fee) => charge(fee, principal));
  const charged = fees.reduce((sum, { amount }) => sum + amount, 0);
  const left = principal - charged;
  const { areFeesPaidFirst = false } = terms;
  if (left <= 0 || (areFeesPaidFirst && charged < LEAST_PAYMENT)) return null;
  const rate = Number(terms.annualRatePercent);
  const exact = monthlyInstalment(principal, rate, terms.tenureMonths);
  // A fee costs the borrower the same whether it is paid first or taken off the payout.
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
  // A percentage is stated only where it gives the amount: not where a bound or a flat amount did.
  const isShare =
    percentOfPrincipal !== undefined && base === (principal * percentOfPrincipal) / 100;
  return { name, payee, amount, gst, ...(isShare && { percentOfPrincipal }) };
}

/** @param grams a decimal, as it came: net weight */
export function valueGold(grams: string, pricePerGram: number): GoldValuation | null {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(grams)) return null;
  const [whole = '0', fraction = ''] = grams.split('.');
  // In whole micrograms, so that no gram is lost or won by a binary fraction.
  const micrograms = BigInt(whole + fraction.padEnd(6, '0'));
  const value = Number((micrograms * BigInt(pricePerGram)) / 1_000_000n);
  if (value <= 0 || !Number.isSafeInteger(value)) return null;
  const amounts = LTV_SLABS.map(({ ceiling, percent }) => ({
    cap: Math.floor(Math.min(ceiling, (value * percent) / 100) / 100) * 100,
    ltvPercent: percent,
  }));
  // Of equal amounts the first slab counts: a loan of exactly its ceiling still belongs to it.
  const best = amounts.reduce((most, next) => (next.cap > most.cap ? next : most));
  return { value, ...best };
}

function toRupee(paise: number): number {
  return roundHalfUp(paise / 100) * 100;
}

function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5 + NOISE);
}
