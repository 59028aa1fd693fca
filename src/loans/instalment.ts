import { type Decimal, LoanDecimal, type Paise, paise } from './money.js';

const LONGEST_TENURE_MONTHS = 600;

const HIGHEST_ANNUAL_RATE_PERCENT = 100;

/** Below it the interest is under a paisa on any safe principal, and the closed formula divides by almost nothing. */
const NEGLIGIBLE_MONTHLY_RATE = new LoanDecimal('1e-15');

/**
 * Annual percent / 1200, zero when negligible.
 * @throws RangeError outside 0 to 100 percent
 */
export function monthlyRate(annualRatePercent: Decimal.Value): Decimal {
  const annual = new LoanDecimal(annualRatePercent);
  // Negated, so that NaN is refused.
  if (!(annual.gte(0) && annual.lte(HIGHEST_ANNUAL_RATE_PERCENT))) {
    throw new RangeError(`Annual rate must be from 0 to 100 percent: ${annual.toString()}`);
  }
  const monthly = annual.dividedBy(1200);
  return monthly.lessThan(NEGLIGIBLE_MONTHLY_RATE) ? new LoanDecimal(0) : monthly;
}

/** @throws RangeError unless a whole number from 1 to 600 */
export function assertTenure(months: number): void {
  if (!Number.isInteger(months) || months < 1 || months > LONGEST_TENURE_MONTHS) {
    throw new RangeError(`Tenure must be a whole number of months from 1 to 600: ${months}`);
  }
}

/** @throws RangeError unless a safe integer above zero */
export function assertPrincipal(principal: Paise): void {
  if (paise(principal) <= 0) {
    throw new RangeError(`Principal must be above zero: ${principal} paise`);
  }
}

/**
 * P·i·(1+i)^n / ((1+i)^n − 1), unrounded, with i = annual rate / 1200; P/n at rate 0.
 * @param annualRatePercent on the reducing balance
 * @throws RangeError for a principal not above zero, a rate outside 0 to 100, or months outside 1 to 600
 */
export function exactInstalment(
  principal: Paise,
  annualRatePercent: Decimal.Value,
  months: number,
): Decimal {
  assertPrincipal(principal);
  assertTenure(months);
  const rate = monthlyRate(annualRatePercent);
  if (rate.isZero()) {
    return new LoanDecimal(principal).dividedBy(months);
  }
  const growth = rate.plus(1).pow(months);
  return rate.times(principal).times(growth).dividedBy(growth.minus(1));
}

/**
 * Half up; paise in and out.
 * @throws RangeError when the result is not a safe integer
 */
export function roundToRupee(amount: Decimal.Value): Paise {
  return paise(
    new LoanDecimal(amount)
      // Noise in the fortieth digit must not push an exact half below the half.
      .toDecimalPlaces(12)
      .dividedBy(100)
      .toDecimalPlaces(0, LoanDecimal.ROUND_HALF_UP)
      .times(100)
      .toNumber(),
  );
}
