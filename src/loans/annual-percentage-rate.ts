import { assertPrincipal, assertTenure } from './instalment.js';
import { LoanDecimal, type Decimal } from './loan-decimal.js';
import type { Paise } from './money.js';

/** What is paid out and what is paid back, each in paise. */
export interface CashFlows {
  netDisbursed: Paise;
  /** The unrounded instalment, from exactInstalment. */
  exactInstalment: Decimal;
  /** How many instalments, one a month, the first a month after the payout. */
  months: number;
}

/** Newton's method doubles the right digits each time, so this is a bound that is never reached. */
const MAX_STEPS = 200;

/** Enough for any ordinary loan; the search goes on from wherever they end. */
const GUESSES = 12;

/** Far below the second decimal of a percentage, far above the noise of 40 digits. */
const TOLERANCE = new LoanDecimal('1e-22');

/** What such a step of Newton's method leaves is about its square times the months. */
const LAST_STEP = new LoanDecimal('1e-14');

/**
 * The annual percentage rate: 12 × the monthly internal rate of return of the net amount paid out
 * and the unrounded instalments, in percent, rounded half up to two decimals.
 *
 * Source: RBI/2024-25/18 DOR.STR.REC.13/13.03.00/2024-25 of 15 April 2024, Annex B (IRR on the net
 * disbursed amount, reducing balance). It is neither compounded nor taken from the rounded instalment.
 * @throws RangeError when the net amount is not above zero, the tenure is not 1 to 600 months, or
 * less is paid back than was paid out.
 */
export function annualPercentageRate(input: CashFlows): number {
  assertPrincipal(input.netDisbursed);
  assertTenure(input.months);
  const instalment = new LoanDecimal(input.exactInstalment);
  const net = new LoanDecimal(input.netDisbursed);
  const surplus = instalment.times(input.months).minus(net);
  // A division such as P/7 cut at 40 digits may leave the sum a hair off the principal.
  if (surplus.abs().lessThanOrEqualTo(net.times(TOLERANCE))) {
    return 0;
  }
  if (!surplus.greaterThan(0) || !surplus.isFinite()) {
    throw new RangeError('The instalments must repay at least what was paid out');
  }
  const monthly = monthlyInternalRate(net, instalment, input.months);
  // Twelve decimals first: the solution of a loan without fees is its rate up to noise, and noise must
  // not push 15.005 below the half.
  return monthly.times(1200).toDecimalPlaces(12).toDecimalPlaces(2).toNumber();
}

/**
 * Solves net = instalment × (1 − (1+i)^−n) / i for i above zero, as a fraction a month.
 *
 * Newton's method inside a bracket: the present value falls steadily with i, is above `net` at 0 and
 * below it at instalment / net (where even endless instalments would be worth only `net`).
 */
function monthlyInternalRate(net: Decimal, instalment: Decimal, months: number): Decimal {
  let low: Decimal = new LoanDecimal(0);
  let high: Decimal = instalment.dividedBy(net);
  let rate = firstGuess(net, instalment, months, high);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { excess, slope } = presentValue(net, instalment, months, rate);
    const newton = rate.minus(excess.dividedBy(slope));
    if (newton.minus(rate).abs().lessThan(LAST_STEP)) {
      return newton;
    }
    if (excess.isPositive()) {
      low = rate;
    } else {
      high = rate;
    }
    const inside = newton.greaterThan(low) && newton.lessThan(high);
    rate = inside ? newton : low.plus(high).dividedBy(2);
  }
  return rate;
}

/**
 * The solution as far as ordinary numbers have it, which cost next to nothing; from there, a step
 * or two are enough. Only where to begin hangs on it, not where the search ends.
 */
function firstGuess(net: Decimal, instalment: Decimal, months: number, high: Decimal): Decimal {
  const ratio = net.dividedBy(instalment).toNumber();
  let rate = high.toNumber() / 2;
  for (let step = 0; step < GUESSES; step += 1) {
    const discount = Math.exp(-months * Math.log1p(rate));
    const annuity = (1 - discount) / rate;
    const slope = ((months * discount) / (1 + rate) - annuity) / rate;
    rate -= (annuity - ratio) / slope;
  }
  const isInside = rate > 0 && high.greaterThan(rate);
  return isInside ? new LoanDecimal(rate) : high.dividedBy(2);
}

/** By how much the instalments' present value at `rate` exceeds `net`, and its derivative. */
function presentValue(net: Decimal, instalment: Decimal, months: number, rate: Decimal) {
  const discount = rate.plus(1).pow(-months);
  const annuity = new LoanDecimal(1).minus(discount).dividedBy(rate);
  const slope = discount.times(months).dividedBy(rate.plus(1)).minus(annuity).dividedBy(rate);
  return { excess: instalment.times(annuity).minus(net), slope: instalment.times(slope) };
}
