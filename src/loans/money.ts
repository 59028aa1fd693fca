import { Decimal } from 'decimal.js';

/**
 * A clone, so that other code's decimal.js settings cannot change an instalment. 40 digits leave 20 to spare in
 * (1+i)^600 of the largest principal.
 */
export const LoanDecimal = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP });

export type { Decimal };

/** ₹1 = 100 paise; a safe integer. */
export type Paise = number;

/** ₹10 lakh crore: a double keeps 15 digits exactly, so JSON loses no paisa. */
const LARGEST_IN_RUPEES = 1e15;

/**
 * Turns -0 into 0, so that equal amounts serialise alike.
 * @throws RangeError unless a safe integer
 */
export function paise(value: number): Paise {
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`Not a whole, safe number of paise: ${value}`);
  }
  return value === 0 ? 0 : value;
}

/**
 * Without binary rounding.
 * @throws RangeError for more than two decimals, a non-finite number, or more than ₹10 lakh crore
 */
export function rupeesToPaise(rupees: number): Paise {
  // Decimal reads the number's shortest text, which is what the sender wrote.
  const exact = new LoanDecimal(rupees).times(100);
  if (!exact.isInteger() || exact.abs().greaterThan(LARGEST_IN_RUPEES)) {
    throw new RangeError(`Not an amount in rupees with at most two decimals: ${rupees}`);
  }
  return paise(exact.toNumber());
}

/** @throws RangeError unless a safe integer up to ₹10 lakh crore */
export function paiseToRupees(amount: Paise): number {
  if (Math.abs(paise(amount)) > LARGEST_IN_RUPEES) {
    throw new RangeError(`Too large to be shown exactly in rupees: ${amount} paise`);
  }
  // Up to this limit, the double nearest to an amount prints as its exact two decimals.
  return paise(amount) / 100;
}

/**
 * '₹1,00,000', '₹1,00,000.50', '-₹1'.
 * @throws RangeError unless a safe integer
 */
export function formatRupees(amount: Paise): string {
  const absolute = Math.abs(paise(amount));
  const fraction = absolute % 100;
  // Without Intl: documents must not change with ICU.
  const whole = String((absolute - fraction) / 100).replace(/(\d)(?=(\d\d)+\d$)/g, '$1,');
  const decimals = fraction === 0 ? '' : `.${String(fraction).padStart(2, '0')}`;
  return `${amount < 0 ? '-' : ''}₹${whole}${decimals}`;
}
