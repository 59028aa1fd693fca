import type { z } from 'zod';
import {
  chargeFees,
  formatRupees,
  goldLoanCap,
  quoteLoan,
  rupeesToPaise,
} from '../../loans/index.js';
import { choice, wholeNumber } from '../../platform/index.js';
import {
  EMPLOYMENT_TYPES,
  GOLD_DOCUMENTS,
  type ProductTerms,
  UNPAID_CAUSES,
  UNPAID_INTERVALS,
} from '../../settings/index.js';
import {
  decimal,
  differing,
  list,
  pattern,
  percent,
  problem,
  rules,
  rupees,
  section,
  words,
} from './fields.js';
import { inEnglish, ownText } from './own-text.js';

const DESCRIPTION_CHARACTERS = 500;
/** Without holidays five days contain three working days, the RBI's least validity of a Key Facts Statement. */
export const MIN_OFFER_DAYS = 5;
const LONGEST_TENURE_MONTHS = 600;
const MAX_VALUATION_RUPEES = 100_000;
const MAX_MONTHLY_INCOMES = 1_000;

/** Amounts before tax. */
const fee = section({
  name: ownText(),
  payee: choice(['LENDER', 'THIRD_PARTY']),
  percentOfPrincipal: percent.optional(),
  flat: rupees.optional(),
  minimum: rupees.optional(),
  maximum: rupees.optional(),
  gstPercent: percent.optional(),
})
  .refine(
    ({ flat, percentOfPrincipal }) => (flat ?? percentOfPrincipal) !== undefined,
    'needs flat or percentOfPrincipal',
  )
  .refine(({ minimum = 0, maximum = Infinity }) => minimum <= maximum, {
    path: ['maximum'],
    error: 'must not be below minimum',
  });

/** For an unpaid instalment; amounts before tax. */
const unpaid = section({
  percentOfInstalment: percent.optional(),
  flat: rupees.optional(),
  gstPercent: percent.optional(),
  every: choice(UNPAID_INTERVALS),
  /** Default: pages show the charge's text without figures. */
  cause: choice(UNPAID_CAUSES).optional(),
}).refine(
  ({ flat, percentOfInstalment }) => (flat ?? percentOfInstalment) !== undefined,
  'needs flat or percentOfInstalment',
);

const contingentCharge = section({
  name: ownText(),
  description: ownText(DESCRIPTION_CHARACTERS),
  /** Absent: no consequence of an unpaid instalment, or amount unknown. */
  ifUnpaid: unpaid.optional(),
});

const pledge = section({
  /** Besides the gold. */
  documents: words(GOLD_DOCUMENTS).optional(),
  /** After full repayment. Default: the RBI's seven. */
  returnWithinWorkingDays: wholeNumber(0, 7).optional(),
  /** For each day of the lender's delay. */
  lateReturnPerDay: rupees.optional(),
  /** Calendar days between notice and auction. */
  auctionNoticeDays: wholeNumber(1, 365).optional(),
  /** Rupees, tax included, from an applicant without a loan. */
  valuationWithoutLoan: wholeNumber(0, MAX_VALUATION_RUPEES).transform(rupeesToPaise).optional(),
});

const range = (bound: z.ZodType<number>) =>
  section({ minimum: bound, maximum: bound }).refine(({ minimum, maximum }) => minimum <= maximum, {
    path: ['maximum'],
    error: 'must not be below minimum',
  });

const pinPrefix = pattern(
  /^[1-9]\d{0,5}$/,
  "must be the first digits of a PIN code, such as '560'",
);

/** As the lender publishes them. */
const eligibility = section({
  minimumMonthlyIncome: rupees.optional(),
  /** The highest amount, in monthly incomes. */
  maximumMonthlyIncomes: decimal(0.1, MAX_MONTHLY_INCOMES).optional(),
  employmentTypes: words(EMPLOYMENT_TYPES, 1).optional(),
  pinPrefixes: differing(pinPrefix, 'is repeated').min(1).optional(),
  /** Default: the product's own rate. */
  annualRatePercent: range(percent).optional(),
  /** Default: the product's own tenure. */
  tenureMonths: range(wholeNumber(1, LONGEST_TENURE_MONTHS)).optional(),
});

export const productTerms = section({
  annualRatePercent: percent,
  tenureMonths: wholeNumber(1, LONGEST_TENURE_MONTHS),
  minimumAmount: rupees,
  maximumAmount: rupees,
  fees: list(fee),
  contingentCharges: list(contingentCharge),
  coolingOffDays: wholeNumber(1, 365),
  offerValidDays: wholeNumber(MIN_OFFER_DAYS, 365),
  gold: section({
    pricePerGram: rupees,
    /** Default: the RBI's. */
    slabs: list(
      section({ ceiling: rupees.nullable().default(null), ratioPercent: percent }),
      1,
    ).optional(),
    pledge: pledge.optional(),
  })
    .check(rules((gold) => problem(refusalOf(() => goldLoanCap({ grams: '1', ...gold })))))
    .optional(),
  /** Default: unknown. */
  eligibility: eligibility.optional(),
})
  .refine(({ minimumAmount, maximumAmount }) => minimumAmount <= maximumAmount, {
    path: ['maximumAmount'],
    error: 'must not be below minimumAmount',
  })
  .check(rules(quoteProblems, ({ issues }) => issues.length === 0));

type ProductTermsSection = z.output<typeof productTerms>;

export function productTermsOf(given: ProductTermsSection): ProductTerms {
  const { contingentCharges, ...terms } = inEnglish(given);
  const unpaidCharges = contingentCharges.flatMap(({ name, ifUnpaid }) =>
    ifUnpaid ? [{ name, ...ifUnpaid }] : [],
  );
  return {
    ...terms,
    contingentCharges: contingentCharges.map(({ name, description }) => ({ name, description })),
    ...(unpaidCharges.length > 0 && { unpaidCharges }),
  };
}

/** The smallest and the largest loan must be computable. */
function quoteProblems({
  annualRatePercent,
  tenureMonths,
  minimumAmount,
  maximumAmount,
  fees,
}: ProductTermsSection) {
  const problems = [minimumAmount, maximumAmount].flatMap((principal) => {
    const refusal = refusalOf(() => {
      const charged = chargeFees(principal, inEnglish(fees));
      return quoteLoan({ principal, annualRatePercent, tenureMonths, fees: charged });
    });
    return problem(refusal && `do not allow a loan of ${formatRupees(principal)}: ${refusal}`);
  });
  return problems.slice(0, 1);
}

function refusalOf(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
