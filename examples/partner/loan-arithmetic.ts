/** The instalment before rounding, in rupees: P·i·(1+i)^n / ((1+i)^n − 1). */
export function monthlyInstalment(principal: number, annualRate: number, months: number): number {
  const rate = annualRate / 1200;
  if (rate === 0) return principal / months;
  const growth = (1 + rate) ** months;
  return (principal * rate * growth) / (growth - 1);
}

/**
 * The annual percentage rate of the RBI's Key Facts Statement: twelve times the monthly internal rate of return of the
 * payout and the unrounded instalments.
 */
export function annualPercentageRate(net: number, instalment: number, months: number): number {
  let low = 0;
  let high = 1;
  // Each iteration halves the interval, so a hundred exhaust a double's precision.
  for (let round = 0; round < 100; round += 1) {
    const middle = (low + high) / 2;
    if (presentValue(instalment, middle, months) > net) low = middle;
    else high = middle;
  }
  return low * 1200;
}

function presentValue(instalment: number, monthlyRate: number, months: number): number {
  if (monthlyRate === 0) return instalment * months;
  return (instalment * (1 - (1 + monthlyRate) ** -months)) / monthlyRate;
}

const inRupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  maximumFractionDigits: 2,
  minimumFractionDigits: 0,
});

export function rupees(amount: number): string {
  return inRupees.format(amount);
}
