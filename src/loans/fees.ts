import { assertPrincipal, roundToRupee } from './instalment.js';
import { LoanDecimal, type Decimal } from './loan-decimal.js';
import { paise, type Paise } from './money.js';

/** The least that is paid before a loan, in paise: no payment gateway takes less than ₹1. */
export const MIN_UP_FRONT_FEE: Paise = 100;

/** To whom a charge goes: the lender itself (KFS row 8 A) or a third party through it (row 8 B). */
export type FeePayee = 'LENDER' | 'THIRD_PARTY';

/**
 * How a lender computes a one-time charge. The percentage of the principal and the flat amount add up;
 * the minimum and maximum apply to that sum before tax. At least one of the two must be given.
 */
export interface FeeTerm {
  name: string;
  payee: FeePayee;
  /** Percent of the principal, 0 to 100. */
  percentOfPrincipal?: number;
  /** Paise. */
  flat?: Paise;
  /** Paise, before tax. */
  minimum?: Paise;
  /** Paise, before tax. */
  maximum?: Paise;
  /** Goods and services tax on the charge, in percent, 0 to 100; none when left out. */
  gstPercent?: number;
}

/** A one-time charge on one loan, deducted from the payout or paid up front. */
export interface FeeCharge {
  name: string;
  payee: FeePayee;
  /** Paise, tax included. */
  amount: Paise;
  /** The tax within `amount`, in paise; left out when the lender does not say. */
  gst?: Paise;
  /** The percentage of the principal that it was computed from, for the KFS; left out when flat. */
  percentOfPrincipal?: number;
}

/**
 * Computes the one-time charges on a principal, each rounded half up to the rupee, GST included.
 * @param principal in paise, above zero
 * @throws RangeError when a term has no basis, a negative figure, or a minimum above its maximum.
 */
export function chargeFees(principal: Paise, terms: readonly FeeTerm[]): FeeCharge[] {
  assertPrincipal(principal);
  return terms.map((term) => chargeFee(principal, term));
}

function chargeFee(principal: Paise, term: FeeTerm): FeeCharge {
  assertFeeTerm(term);
  const base = feeBeforeTax(principal, term);
  const tax = base.times(term.gstPercent ?? 0).dividedBy(100);
  return {
    name: term.name,
    payee: term.payee,
    amount: roundToRupee(base.plus(tax)),
    gst: roundToRupee(tax),
    ...(term.percentOfPrincipal === undefined
      ? {}
      : { percentOfPrincipal: term.percentOfPrincipal }),
  };
}

function feeBeforeTax(principal: Paise, term: FeeTerm): Decimal {
  const share = new LoanDecimal(principal).times(term.percentOfPrincipal ?? 0).dividedBy(100);
  let base: Decimal = share.plus(term.flat ?? 0);
  if (term.minimum !== undefined) {
    base = LoanDecimal.max(base, term.minimum);
  }
  if (term.maximum !== undefined) {
    base = LoanDecimal.min(base, term.maximum);
  }
  return base;
}

function assertFeeTerm(term: FeeTerm): void {
  if (term.percentOfPrincipal === undefined && term.flat === undefined) {
    throw new RangeError(`Fee '${term.name}' has neither a percentage nor a flat amount`);
  }
  for (const percent of [term.percentOfPrincipal ?? 0, term.gstPercent ?? 0]) {
    if (!(percent >= 0 && percent <= 100)) {
      throw new RangeError(`Fee '${term.name}' has a percentage outside 0 to 100: ${percent}`);
    }
  }
  for (const amount of [term.flat ?? 0, term.minimum ?? 0, term.maximum ?? 0]) {
    if (paise(amount) < 0) {
      throw new RangeError(`Fee '${term.name}' has a negative amount: ${amount} paise`);
    }
  }
  if (term.minimum !== undefined && term.maximum !== undefined && term.minimum > term.maximum) {
    throw new RangeError(`Fee '${term.name}' has a minimum above its maximum`);
  }
}
