import { LoanDecimal } from './loan-decimal.js';

/** An amount of money in whole paise (₹1 = 100 paise); always a safe integer. */
export type Paise = number;

/**
 * The largest amount, in paise, that a JSON number in rupees can carry without losing a paisa.
 * A double has fifteen sure decimal digits, so this is ₹10 lakh crore.
 */
const LARGEST_IN_RUPEES = 1e15;

/**
 * Asserts that `value` is a whole number of paise.
 * @returns the same amount, with -0 made 0, so that two equal amounts always serialise alike.
 * @throws RangeError when it is not a safe integer.
 */
export function paise(value: number): Paise {
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`Not a whole, safe number of paise: ${value}`);
  }
  return value === 0 ? 0 : value;
}

/**
 * Converts rupees as JSON shows them (at most two decimals) to paise, without binary rounding.
 * @throws RangeError for more than two decimals, a number that is not finite, or more than ₹10 lakh crore.
 */
export function rupeesToPaise(rupees: number): Paise {
  // The decimal is built from the shortest text of the number, which is what the sender wrote.
  const exact = new LoanDecimal(rupees).times(100);
  if (!exact.isInteger() || exact.abs().greaterThan(LARGEST_IN_RUPEES)) {
    throw new RangeError(`Not an amount in rupees with at most two decimals: ${rupees}`);
  }
  return paise(exact.toNumber());
}

/**
 * Converts paise to rupees as JSON shows them: a number with at most two decimals.
 * @throws RangeError when `amount` is not a safe integer or is beyond ₹10 lakh crore.
 */
export function paiseToRupees(amount: Paise): number {
  if (Math.abs(paise(amount)) > LARGEST_IN_RUPEES) {
    throw new RangeError(`Too large to be shown exactly in rupees: ${amount} paise`);
  }
  // Division is correctly rounded: it gives the double nearest to the two-decimal figure, which
  // therefore prints as that figure.
  return paise(amount) / 100;
}

/**
 * Formats paise for people, in Indian grouping: '₹1,00,000', '₹1,00,000.50', '-₹1'.
 * Paise are shown only when there are any.
 * @throws RangeError when `amount` is not a safe integer.
 */
export function formatRupees(amount: Paise): string {
  const absolute = Math.abs(paise(amount));
  const fraction = absolute % 100;
  // Written out rather than left to Intl, so that a document does not change with the ICU version.
  const whole = String((absolute - fraction) / 100).replace(/(\d)(?=(\d\d)+\d$)/g, '$1,');
  const decimals = fraction === 0 ? '' : `.${String(fraction).padStart(2, '0')}`;
  return `${amount < 0 ? '-' : ''}₹${whole}${decimals}`;
}
