import { type Outcome, type Question, verdict } from '../question.ts';

/** `POST /eligibilities`: by the published rules, without an enquiry and without an application. */
export function decideEligibility({ lender, body }: Question): Outcome {
  const served = lender.products[body.text('productCode')];
  if (!served?.eligibility) return verdict('UNKNOWN');
  const { minimumAmount, maximumAmount, annualRatePercent, tenureMonths, eligibility } = served;
  const income = body.income('monthlyIncome');
  const { maximumMonthlyIncomes: multiple, employmentTypes, pinPrefixes } = eligibility;
  const byIncome = multiple === undefined ? Infinity : timesExactly(income, multiple);
  const amount = { min: minimumAmount, max: Math.min(maximumAmount, byIncome) };
  const asked = body.amount('loanAmount');
  const pinCode = body.text('pinCode', /^\d{6}$/);
  const isEmployed = employmentTypes?.includes(body.text('employmentType')) ?? true;
  const isServed = pinPrefixes?.some((prefix) => pinCode.startsWith(prefix)) ?? true;
  const reasons = [
    ...(asked < amount.min || asked > amount.max ? ['AMOUNT'] : []),
    ...(income < eligibility.minimumMonthlyIncome ? ['INCOME'] : []),
    ...(isEmployed ? [] : ['EMPLOYMENT']),
    ...(isServed ? [] : ['LOCATION']),
  ];
  const ranges = {
    ...(amount.min <= amount.max && { amount }),
    annualRatePercent: { min: annualRatePercent, max: annualRatePercent },
    tenureMonths: { min: tenureMonths, max: tenureMonths },
  };
  return reasons.length > 0
    ? verdict('UNLIKELY', { reasons, ...ranges })
    : verdict('LIKELY', ranges);
}

/** Rounded down to a paisa; in hundredths, to avoid binary fractions. */
function timesExactly(income: number, multiple: number): number {
  return Number((BigInt(income) * BigInt(Math.round(multiple * 100))) / 100n);
}
