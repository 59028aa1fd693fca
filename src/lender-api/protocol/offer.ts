import { z } from 'zod';
import { UNPAID_CAUSES, UNPAID_INTERVALS } from '../../settings/index.js';
import {
  amount,
  amountOrZero,
  closedWords,
  day,
  decimal,
  integer,
  moment,
  named,
  percent,
  reference,
  signedPercent,
  text,
} from './primitives.js';

const annualPercent = percent('Current percent a year on the reducing balance.');

const floating = {
  annualPercent,
  benchmark: z
    .object({
      name: named('The external benchmark, for example `RBI repo rate`.'),
      percent: percent('Its current value.'),
    })
    .describe('The benchmark that the rate follows.'),
  spreadPercent: signedPercent('The spread over the benchmark.'),
  resetEveryMonths: integer(1, 120, 'Months between rate resets.'),
};

export const Rate = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('FIXED'), annualPercent }),
    z.object({ kind: z.literal('FLOATING'), ...floating }),
    z.object({
      kind: z.literal('HYBRID'),
      ...floating,
      fixedMonths: integer(1, 480, 'Months with a fixed rate before it floats.'),
    }),
  ])
  .describe('The rate of interest.');

export const ScheduleEntry = z
  .object({
    dueOn: day('When it is due.'),
    principal: amountOrZero('The principal in the payment.'),
    interest: amountOrZero('The interest in the payment.'),
    amount: amountOrZero('The whole payment.'),
  })
  .describe('One payment of the borrower.');

const schedule = z
  .array(ScheduleEntry)
  .min(1)
  .max(600)
  .describe('Every payment with its day, in date order.');

const dated = { schedule };
const instalment = amount('The monthly payment, rounded half up to the rupee.');

export const Repayment = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('EMI'),
      instalment,
      schedule: schedule
        .optional()
        .describe('Required only if the payments are not equal or not a month apart.'),
    }),
    z.object({ kind: z.literal('BULLET'), ...dated }),
    z.object({
      kind: z.literal('INTEREST_THEN_BULLET'),
      instalment: amount('The monthly interest payment.').optional(),
      ...dated,
    }),
    z.object({ kind: z.literal('CUSTOM'), ...dated }),
  ])
  .describe(
    'How the loan is repaid. Anything but equal monthly instalments requires a dated ' +
      'schedule. `BULLET`: everything at the end. `INTEREST_THEN_BULLET`: interest first, ' +
      'principal at the end.',
  );

export const Fee = z
  .object({
    name: named('The name in the Key Facts Statement.'),
    payee: closedWords(
      ['LENDER', 'THIRD_PARTY'],
      'The lender, or a third party through the lender.',
    ),
    amount: amountOrZero('Tax included.'),
    gst: amountOrZero('The tax within `amount`.').optional(),
    percentOfPrincipal: percent(
      'The percentage of the principal that gives `amount`, tax included, to the paisa. It is the share plus `gst`, with ' +
        'the share rounded half up to the rupee or the paisa, or the sum rounded to the rupee. An offer with another fee ' +
        'is refused with `FEES`. Leave it out if a flat amount, a minimum or a maximum applies.',
    ).optional(),
    due: closedWords(
      ['AT_PAYOUT', 'BEFORE_PAYOUT', 'LATER'],
      '`AT_PAYOUT`: deducted from the payout. `BEFORE_PAYOUT`: the borrower pays it first, like every fee of ' +
        'an instant loan or of a product with a fee step. `LATER`: on `dueOn`.',
    ),
    dueOn: day('When `due` is `LATER`.').optional(),
  })
  .refine(({ due, dueOn }) => due !== 'LATER' || dueOn !== undefined, {
    path: ['dueOn'],
    message: 'must be given when due is LATER',
  })
  .describe('A one-time charge that always applies.');

const MAX_CHARGE_PERCENT = 100;

const chargePercent = (description: string) =>
  percent(`${description} At most ${MAX_CHARGE_PERCENT}.`).refine(
    (written) => Number(written) <= MAX_CHARGE_PERCENT,
    `must be at most ${MAX_CHARGE_PERCENT}`,
  );

export const UnpaidCharge = z
  .object({
    percentOfInstalment: chargePercent('Percent of the unpaid instalment, before tax.').optional(),
    flat: amount('Before tax; it and `percentOfInstalment` add up.').optional(),
    gstPercent: chargePercent('Tax on the charge; none if left out.').optional(),
    every: closedWords(
      UNPAID_INTERVALS,
      '`MONTH`: for each month that the instalment is late. `TIME`: each time.',
    ),
    cause: closedWords(
      UNPAID_CAUSES,
      'The instalment is late, or the bank returned it. If given, offers display a short form of the charge ' +
        '("2% a month + GST"); otherwise `description`.',
    ).optional(),
  })
  .refine(
    ({ percentOfInstalment, flat }) => flat !== undefined || Number(percentOfInstalment ?? 0) > 0,
    { path: ['flat'], message: 'must be given unless percentOfInstalment is above 0' },
  )
  .describe('The charge for an unpaid instalment; it must match `description`.');

export const ContingentCharge = z
  .object({
    name: named('For example foreclosure, late payment, change of rate.'),
    description: text('The amount or rate, and when it applies.', 500),
    ifUnpaid: UnpaidCharge.optional(),
  })
  .describe('A charge that applies only in a certain case.');

export const GoldValuation = z
  .object({
    value: amount('The lender’s valuation of the gold.'),
    purityKarat: decimal('The purity of the valuation: `22`.', 2, 2),
    netWeightGrams: decimal('Without stones and fastenings.'),
    pricePerGram: amount('For gold of this purity.'),
    ltvPercent: percent('The principal’s loan-to-value ratio.'),
    explanation: text('How the lender computed the value, for the applicant.', 500).optional(),
  })
  .describe('The valuation of the gold.');

export const Branch = z
  .object({
    reference: reference('The lender’s id of the branch.'),
    name: named('The branch’s common name.'),
    address: text('With the PIN code.', 300),
    latitude: z.number().min(-90).max(90).describe('Degrees.'),
    longitude: z.number().min(-180).max(180).describe('Degrees.'),
  })
  .describe('A branch that takes gold.');

export const CoLender = z
  .object({
    name: named('The co-lender’s legal name.'),
    sharePercent: percent('Its share of the principal.'),
  })
  .describe('The co-lender.');

export const Offer = z
  .object({
    reference: reference('The lender’s id of the offer, used in later questions.'),
    principal: amount(
      'The loan amount, and the maximum to choose unless there is a `maximumAmount`. For an instant ' +
        'loan, the requested amount.',
    ),
    minimumAmount: amount('The minimum to choose.'),
    maximumAmount: amount(
      'The maximum to choose; default `principal`. Applicants see an offer for ' +
        '`principal`, and choose that or less.',
    ).optional(),
    tenureMonths: integer(1, 480, 'From the payout to the last payment.'),
    rate: Rate,
    repayment: Repayment,
    apr: percent(
      'The annual percentage rate by RBI’s method, with two decimals. A fee paid first counts like ' +
        'a fee deducted from the payout.',
    ),
    netPayout: amount(
      'The amount that the borrower receives: `principal` less every fee due `AT_PAYOUT`; for an instant loan ' +
        'the whole `principal`.',
    ),
    fees: z.array(Fee).max(20).describe('Every one-time charge; empty if there is none.'),
    contingentCharges: z
      .array(ContingentCharge)
      .max(30)
      .optional()
      .describe('Default: the lender’s configured terms.'),
    coolingOffDays: integer(
      0,
      90,
      'Days after the payout during which the borrower may exit without penalty. An offer with less than ' +
        '1 is refused. Default: the lender’s configured terms.',
    ).optional(),
    validUntil: moment('The offer is binding until then, at least three working days.'),
    coLender: CoLender.optional(),
    goldValuation: GoldValuation.optional(),
    branches: z
      .array(Branch)
      .max(200)
      .optional()
      .describe('For gold loans. Default: the configured branches.'),
  })
  .refine(isRange, {
    path: ['minimumAmount'],
    message: 'must be at most principal, and principal at most maximumAmount',
  })
  .describe('An offer of the lender.');

interface Range {
  readonly minimumAmount: number;
  readonly principal: number;
  readonly maximumAmount?: number | undefined;
}

function isRange({ minimumAmount, principal, maximumAmount = principal }: Range): boolean {
  return minimumAmount <= principal && principal <= maximumAmount;
}
