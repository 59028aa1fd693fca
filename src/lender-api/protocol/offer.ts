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

const annualPercent = () => percent('Percent a year on the reducing balance, as it is today.');

const floating = {
  annualPercent: annualPercent(),
  benchmark: z
    .object({
      name: named('The external benchmark: `RBI repo rate`, say.'),
      percent: percent('Where it stands today.'),
    })
    .meta({ description: 'What the rate follows.' }),
  spreadPercent: signedPercent('Over the benchmark.'),
  resetEveryMonths: integer(1, 120, 'How often the rate is set anew.'),
};

export const Rate = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('FIXED'), annualPercent: annualPercent() }),
    z.object({ kind: z.literal('FLOATING'), ...floating }),
    z.object({
      kind: z.literal('HYBRID'),
      ...floating,
      fixedMonths: integer(1, 480, 'For how many months the rate is fixed before it floats.'),
    }),
  ])
  .meta({ description: 'The rate of interest.' });

export const ScheduleEntry = z
  .object({
    dueOn: day('When it is due.'),
    principal: amountOrZero('Of it principal.'),
    interest: amountOrZero('Of it interest.'),
    amount: amountOrZero('The whole payment.'),
  })
  .meta({ description: 'One payment of the borrower.' });

const schedule = () =>
  z
    .array(ScheduleEntry)
    .min(1)
    .max(600)
    .meta({ description: 'Every payment with its day, in the order of the days.' });

const dated = { schedule: schedule() };
const instalment = () => amount('What is paid a month, rounded half up to the rupee.');

export const Repayment = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('EMI'),
      instalment: instalment(),
      schedule: schedule()
        .optional()
        .meta({ description: 'Needed only when the payments are not equal and a month apart.' }),
    }),
    z.object({ kind: z.literal('BULLET'), ...dated }),
    z.object({
      kind: z.literal('INTEREST_THEN_BULLET'),
      instalment: amount('The interest that is paid a month.').optional(),
      ...dated,
    }),
    z.object({ kind: z.literal('CUSTOM'), ...dated }),
  ])
  .meta({
    description:
      'How the loan is repaid. Whatever is not equal instalments a month apart has its dated ' +
      'schedule. `BULLET`: all at the end. `INTEREST_THEN_BULLET`: interest on the way, the ' +
      'principal at the end.',
  });

export const Fee = z
  .object({
    name: named('As the Key Facts Statement shows it.'),
    payee: closedWords(
      ['LENDER', 'THIRD_PARTY'],
      'The lender itself, or somebody else through the lender.',
    ),
    amount: amountOrZero('Tax included.'),
    gst: amountOrZero('The tax within `amount`.').optional(),
    percentOfPrincipal: percent(
      'The share of the principal that gives `amount`, tax included, to the paisa: the share and `gst`, where the ' +
        'share is rounded half up to the rupee or the paisa, or the sum to the rupee. An offer whose fee is another ' +
        'is refused as `FEES`. Left out where a flat amount, a minimum or a maximum decides.',
    ).optional(),
    due: closedWords(
      ['AT_PAYOUT', 'BEFORE_PAYOUT', 'LATER'],
      '`AT_PAYOUT`: taken off the payout. `BEFORE_PAYOUT`: the borrower pays it first, as every fee of ' +
        'an instant loan and of a product with a fee step. `LATER`: on `dueOn`.',
    ),
    dueOn: day('When `due` is `LATER`.').optional(),
  })
  .refine(({ due, dueOn }) => due !== 'LATER' || dueOn !== undefined, {
    path: ['dueOn'],
    message: 'must be given when due is LATER',
  })
  .meta({ description: 'A one-time charge that falls due in any case.' });

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
    gstPercent: chargePercent('Tax on the charge. Left out: none.').optional(),
    every: closedWords(
      UNPAID_INTERVALS,
      '`MONTH`: for each month that the instalment is late. `TIME`: each time.',
    ),
    cause: closedWords(
      UNPAID_CAUSES,
      'The instalment is late, or the bank returned it. With it, offers show the charge in short ' +
        '("2% a month + GST"); left out, they show `description`.',
    ).optional(),
  })
  .refine(
    ({ percentOfInstalment, flat }) => flat !== undefined || Number(percentOfInstalment ?? 0) > 0,
    { path: ['flat'], message: 'must be given, or percentOfInstalment above 0' },
  )
  .meta({
    description:
      'What a charge for an unpaid instalment comes to; it says the same as `description`.',
  });

export const ContingentCharge = z
  .object({
    name: named('Foreclosure, late payment, switching the rate.'),
    description: text('The amount or rate and when it applies.', 500),
    ifUnpaid: UnpaidCharge.optional(),
  })
  .meta({ description: 'A charge that falls due only if something happens.' });

export const GoldValuation = z
  .object({
    value: amount('What the gold is worth to the lender.'),
    purityKarat: decimal('The purity that it was valued at: `22`.', 2, 2),
    netWeightGrams: decimal('Without stones and fastenings.'),
    pricePerGram: amount('For gold of this purity.'),
    ltvPercent: percent('The loan-to-value ratio that the principal comes to.'),
    explanation: text('How the lender came to the amount, for the applicant.', 500).optional(),
  })
  .meta({ description: 'What the gold is good for.' });

export const Branch = z
  .object({
    reference: reference('The lender’s own.'),
    name: named('What people call it.'),
    address: text('With the PIN code.', 300),
    latitude: z.number().min(-90).max(90).meta({ description: 'Degrees.' }),
    longitude: z.number().min(-180).max(180).meta({ description: 'Degrees.' }),
  })
  .meta({ description: 'Where gold can be brought.' });

export const CoLender = z
  .object({
    name: named('Its legal name.'),
    sharePercent: percent('Of the principal.'),
  })
  .meta({ description: 'Who lends beside the lender.' });

export const Offer = z
  .object({
    reference: reference('The lender’s own; later questions name the offer by it.'),
    principal: amount(
      'What is lent; also the most that can be chosen, unless there is a `maximumAmount`. Of an instant ' +
        'loan the amount that is asked for.',
    ),
    minimumAmount: amount('The least that can be chosen.'),
    maximumAmount: amount(
      'The most that can be chosen; left out: `principal`. Applicants are shown an offer for ' +
        '`principal`, and choose that or less.',
    ).optional(),
    tenureMonths: integer(1, 480, 'From the payout to the last payment.'),
    rate: Rate,
    repayment: Repayment,
    apr: percent(
      'The annual percentage rate by RBI’s method, with two decimals. A fee that is paid first counts like ' +
        'one that is taken off the payout.',
    ),
    netPayout: amount(
      'What reaches the borrower: `principal` less every fee that is due `AT_PAYOUT`; of an instant loan ' +
        'the whole `principal`.',
    ),
    fees: z
      .array(Fee)
      .max(20)
      .meta({ description: 'Every one-time charge; empty when there is none.' }),
    contingentCharges: z
      .array(ContingentCharge)
      .max(30)
      .optional()
      .meta({ description: 'Left out: as the lender’s configured terms say.' }),
    coolingOffDays: integer(
      0,
      90,
      'Days after the payout in which the loan can be left without a penalty: an offer with less than ' +
        'one is refused. Left out: as the lender’s configured terms say.',
    ).optional(),
    validUntil: moment(
      'Until when the lender stands by the offer, and no longer: at least three working days.',
    ),
    coLender: CoLender.optional(),
    goldValuation: GoldValuation.optional(),
    branches: z
      .array(Branch)
      .max(200)
      .optional()
      .meta({ description: 'For loans against gold. Left out: as the configuration says.' }),
  })
  .refine(isRange, {
    path: ['minimumAmount'],
    message: 'must be at most the principal, and that at most maximumAmount',
  })
  .meta({ description: 'An offer of the lender.' });

interface Range {
  readonly minimumAmount: number;
  readonly principal: number;
  readonly maximumAmount?: number | undefined;
}

function isRange({ minimumAmount, principal, maximumAmount = principal }: Range): boolean {
  return minimumAmount <= principal && principal <= maximumAmount;
}
