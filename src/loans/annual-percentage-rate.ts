import { assertPrincipal, assertTenure } from './instalment.js';
import { type Decimal, LoanDecimal, type Paise } from './money.js';

/** In paise. */
interface CashFlows {
  netDisbursed: Paise;
  /** Unrounded, from exactInstalment. */
  exactInstalment: Decimal;
  /** Monthly, the first a month after the payout. */
  months: number;
}

/** Never reached: each step doubles the correct digits. */
const MAX_STEPS = 200;

/** Enough for ordinary loans; the exact search continues from here. */
const GUESSES = 12;

/** Between the second decimal of a percentage and the noise of 40 digits. */
const TOLERANCE = new LoanDecimal('1e-22');

/** The remaining error is about its square times the months. */
const LAST_STEP = new LoanDecimal('1e-14');

/**
 * 12 × the monthly internal rate of return, in percent, half up to two decimals. Source: RBI/2024-25/18
 * DOR.STR.REC.13/13.03.00/2024-25 of 15 April 2024, Annex B: not compounded, unrounded instalments.
 * @throws RangeError for a net amount not above zero, months outside 1 to 600, or repayments below the payout
 */
export function annualPercentageRate(input: CashFlows): number {
  assertPrincipal(input.netDisbursed);
  assertTenure(input.months);
  const instalment = new LoanDecimal(input.exactInstalment);
  const net = new LoanDecimal(input.netDisbursed);
  const surplus = instalment.times(input.months).minus(net);
  // P/7 cut at 40 digits leaves a small difference.
  if (surplus.abs().lessThanOrEqualTo(net.times(TOLERANCE))) {
    return 0;
  }
  if (!surplus.greaterThan(0) || !surplus.isFinite()) {
    throw new RangeError('The instalments must repay at least the amount paid out');
  }
  const monthly = monthlyInternalRate(net, instalment, input.months);
  // Twelve decimals first, so that noise does not push 15.005 below the half.
  return monthly.times(1200).toDecimalPlaces(12).toDecimalPlaces(2).toNumber();
}

/**
 * Solves net = instalment × (1 − (1+i)^−n) / i for i > 0. Newton's method in a bracket: the present value is above
 * `net` at 0 and below it at instalment / net.
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

/** Less `net`, and its derivative. */
function presentValue(net: Decimal, instalment: Decimal, months: number, rate: Decimal) {
  const discount = rate.plus(1).pow(-months);
  const annuity = new LoanDecimal(1).minus(discount).dividedBy(rate);
  const slope = discount.times(months).dividedBy(rate.plus(1)).minus(annuity).dividedBy(rate);
  return { excess: instalment.times(annuity).minus(net), slope: instalment.times(slope) };
}
