import type { Eligibility, EligibilityQuestion } from '../lenders/index.js';
import { LoanDecimal } from '../loans/index.js';
import type { ProductTerms } from '../settings/index.js';

type PublishedTerms = Pick<
  ProductTerms,
  'eligibility' | 'minimumAmount' | 'maximumAmount' | 'annualRatePercent' | 'tenureMonths'
>;

/** By the rules that the lender publishes. */
export function judge(question: EligibilityQuestion, terms: PublishedTerms): Eligibility {
  const { eligibility: rules } = terms;
  if (!rules) return { verdict: 'UNKNOWN' };
  const { loanAmount, monthlyIncome, employmentType, pinCode } = question;
  const { minimumMonthlyIncome = 0, maximumMonthlyIncomes = Infinity } = rules;
  const byIncome = new LoanDecimal(monthlyIncome).times(maximumMonthlyIncomes).floor().toNumber();
  const amount = { min: terms.minimumAmount, max: Math.min(terms.maximumAmount, byIncome) };
  const isServed = rules.pinPrefixes?.some((prefix) => pinCode.startsWith(prefix)) ?? true;
  const isEmployed = rules.employmentTypes?.includes(employmentType) ?? true;
  const reasons = [
    ...(isWithin(loanAmount, amount) ? [] : (['AMOUNT'] as const)),
    ...(monthlyIncome >= minimumMonthlyIncome ? [] : (['INCOME'] as const)),
    ...(isEmployed ? [] : (['EMPLOYMENT'] as const)),
    ...(isServed ? [] : (['LOCATION'] as const)),
  ];
  const ranges = {
    ...(amount.min <= amount.max && { amount }),
    annualRatePercent: rangeOf(rules.annualRatePercent, terms.annualRatePercent),
    tenureMonths: rangeOf(rules.tenureMonths, terms.tenureMonths),
  };
  return reasons.length > 0
    ? { verdict: 'UNLIKELY', reasons, ...ranges }
    : { verdict: 'LIKELY', ...ranges };
}

/** A lender that finds an amount likely outside its own range contradicts itself. */
export function withoutContradiction(stated: Eligibility, loanAmount: number): Eligibility {
  const { verdict, amount } = stated;
  const isPossible = verdict !== 'LIKELY' || !amount || isWithin(loanAmount, amount);
  return isPossible ? stated : { verdict: 'UNKNOWN' };
}

function isWithin(value: number, { min, max }: { min: number; max: number }): boolean {
  return value >= min && value <= max;
}

function rangeOf(given: { minimum: number; maximum: number } | undefined, only: number) {
  return { min: given?.minimum ?? only, max: given?.maximum ?? only };
}
