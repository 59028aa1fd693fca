import { assertPrincipal, roundToRupee } from './instalment.js';
import { type Decimal, LoanDecimal, type Paise, paise } from './money.js';

/** Paise: no payment gateway takes less. */
export const MIN_UP_FRONT_FEE: Paise = 100;

/** KFS row 8 A: the lender; row 8 B: a third party. */
export type FeePayee = 'LENDER' | 'THIRD_PARTY';

/** Percentage, flat amount or both, within minimum and maximum; paise before tax. */
export interface FeeTerm {
  name: string;
  payee: FeePayee;
  /** 0 to 100. */
  percentOfPrincipal?: number;
  flat?: Paise;
  minimum?: Paise;
  maximum?: Paise;
  /** 0 to 100; default: none. */
  gstPercent?: number;
}

export interface FeeCharge {
  name: string;
  payee: FeePayee;
  /** Tax included. */
  amount: Paise;
  /** Within `amount`, if stated. */
  gst?: Paise;
  /** Set if a percentage gives `amount` (amountsByPercentage). */
  percentOfPrincipal?: number;
  /** Set where a percentage is only a part. */
  basis?: FeeBasis;
}

/** Only what decided the amount before tax. */
export interface FeeBasis {
  percentOfPrincipal: number;
  flat?: Paise;
  /** The sum is less. */
  minimum?: Paise;
  /** The sum is more. */
  maximum?: Paise;
}

/**
 * Rounded half up to the rupee with GST. The GST is the difference to the rounded charge before tax.
 * @throws RangeError when a term has no basis, a negative figure, or a minimum above its maximum
 */
export function chargeFees(principal: Paise, terms: readonly FeeTerm[]): FeeCharge[] {
  assertPrincipal(principal);
  return terms.map((term) => chargeFee(principal, term));
}

/**
 * The share rounded to rupee or paisa with GST, or the sum rounded to the rupee.
 * @returns null without a percentage
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
