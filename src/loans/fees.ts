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
  /** The percentage of the principal that gives `amount` (see amountsByPercentage); left out when none does. */
  percentOfPrincipal?: number;
  /** How it was computed, where a percentage of the principal was only a part of it. */
  basis?: FeeBasis;
}

/** A percentage of the principal with what else decided the amount before tax; only what did is there. */
export interface FeeBasis {
  percentOfPrincipal: number;
  /** Paise, added to the percentage. */
  flat?: Paise;
  /** Paise; percentage and flat amount come to less. */
  minimum?: Paise;
  /** Paise; percentage and flat amount come to more. */
  maximum?: Paise;
}

/**
 * Computes the one-time charges on a principal, each rounded half up to the rupee, GST included. The GST is what
 * the amount has beside the charge before tax, rounded half up to the rupee: the two always add up.
 * @param principal in paise, above zero
 * @throws RangeError when a term has no basis, a negative figure, or a minimum above its maximum.
 */
export function chargeFees(principal: Paise, terms: readonly FeeTerm[]): FeeCharge[] {
  assertPrincipal(principal);
  return terms.map((term) => chargeFee(principal, term));
}

/**
 * What a charge that states a percentage can come to, in paise: that share of the principal with its GST. The share is
 * rounded half up to the rupee or the paisa, or the sum is to the rupee.
 * @returns null for a charge that states none
 * @throws RangeError when the percentage or the GST is no number.
 */
export function amountsByPercentage(
  principal: Paise,
  { percentOfPrincipal, gst = 0 }: FeeCharge,
): readonly Paise[] | null {
  if (percentOfPrincipal === undefined) return null;
  const share = shareOf(principal, percentOfPrincipal);
  const toPaisa = paise(share.toDecimalPlaces(0, LoanDecimal.ROUND_HALF_UP).toNumber());
  return [roundToRupee(share) + gst, roundToRupee(share.plus(gst)), toPaisa + gst];
}

function chargeFee(principal: Paise, term: FeeTerm): FeeCharge {
  assertFeeTerm(term);
  const base = feeBeforeTax(principal, term);
  const tax = base.times(term.gstPercent ?? 0).dividedBy(100);
  const amount = roundToRupee(base.plus(tax));
  return {
    name: term.name,
    payee: term.payee,
    amount,
    gst: paise(amount - roundToRupee(base)),
    ...originOf(principal, term, base),
  };
}

function feeBeforeTax(principal: Paise, term: FeeTerm): Decimal {
  let base: Decimal = shareOf(principal, term.percentOfPrincipal ?? 0).plus(term.flat ?? 0);
  if (term.minimum !== undefined) {
    base = LoanDecimal.max(base, term.minimum);
  }
  if (term.maximum !== undefined) {
    base = LoanDecimal.min(base, term.maximum);
  }
  return base;
}

function originOf(
  principal: Paise,
  { percentOfPrincipal, flat = 0, minimum, maximum }: FeeTerm,
  base: Decimal,
): Pick<FeeCharge, 'percentOfPrincipal' | 'basis'> {
  if (percentOfPrincipal === undefined || percentOfPrincipal === 0) return {};
  const share = shareOf(principal, percentOfPrincipal);
  if (base.equals(share)) return { percentOfPrincipal };
  const sum = share.plus(flat);
  return {
    basis: {
      percentOfPrincipal,
      ...(flat > 0 && { flat }),
      ...(base.greaterThan(sum) && { minimum }),
      ...(base.lessThan(sum) && { maximum }),
    },
  };
}

function shareOf(principal: Paise, percent: number): Decimal {
  return new LoanDecimal(principal).times(percent).dividedBy(100);
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
