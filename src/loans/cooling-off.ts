import { addDays, dayInIndia, daysFrom, type IndianDay } from './indian-day.js';
import { assertPrincipal, roundToRupee } from './instalment.js';
import { LoanDecimal, type Paise } from './money.js';

export interface PaidOutLoan {
  readonly netDisbursed: Paise;
  /** Percent a year, as in the Key Facts Statement. */
  readonly apr: number;
  readonly disbursedAt: Date;
  /** At least one. */
  readonly coolingOffDays: number;
}

export interface CoolingOffExit {
  readonly day: IndianDay;
  /** Whole days since the payout. */
  readonly daysUsed: number;
  readonly amount: Paise;
  /** `amount` less the payout. */
  readonly cost: Paise;
}

interface CoolingOff {
  /** Until its midnight in India. */
  readonly lastDay: IndianDay;
  /** Empty when the period is over. */
  readonly exits: readonly CoolingOffExit[];
}

const DAYS_A_YEAR = 365;

/**
 * The payout plus its APR for the days used, half up to the rupee. Source: RBI (Digital Lending) Directions, 2025: "the
 * principal and the proportionate APR without any penalty". The APR contains every charge (RBI/2024-25/18, Annex B): on
 * the sanctioned amount, charges would be paid twice. A lender may keep a processing fee only if its Key Facts
 * Statement says so, which this one does not.
 * @param daysUsed whole days, from 0
 * @throws RangeError for an amount not above zero, or negative days or rate
 */
export function coolingOffExitAmount(
  { netDisbursed, apr }: Pick<PaidOutLoan, 'netDisbursed' | 'apr'>,
  daysUsed: number,
): Paise {
  assertPrincipal(netDisbursed);
  if (!(apr >= 0) || !Number.isInteger(daysUsed) || daysUsed < 0) {
    throw new RangeError(`Not an APR and a number of days: ${apr}, ${daysUsed}`);
  }
  const charge = new LoanDecimal(netDisbursed)
    .times(apr)
    .times(daysUsed)
    .dividedBy(100 * DAYS_A_YEAR);
  return roundToRupee(charge.plus(netDisbursed));
}

/** Paise, half up to the rupee. */
export function coolingOffCostADay(loan: Pick<PaidOutLoan, 'netDisbursed' | 'apr'>): Paise {
  return coolingOffExitAmount(loan, 1) - coolingOffExitAmount(loan, 0);
}

/** Until its midnight in India. */
export function lastCoolingOffDay({
  disbursedAt,
  coolingOffDays,
}: Pick<PaidOutLoan, 'disbursedAt' | 'coolingOffDays'>): IndianDay {
  return addDays(dayInIndia(disbursedAt), coolingOffDays);
}

export function coolingOff(loan: PaidOutLoan, now: Date): CoolingOff {
  const paidOut = dayInIndia(loan.disbursedAt);
  const lastDay = lastCoolingOffDay(loan);
  const exits: CoolingOffExit[] = [];
  const from = Math.max(0, daysFrom(paidOut, dayInIndia(now)));
  for (let daysUsed = from; daysUsed <= loan.coolingOffDays; daysUsed += 1) {
    const amount = coolingOffExitAmount(loan, daysUsed);
    const day = addDays(paidOut, daysUsed);
    exits.push({ day, daysUsed, amount, cost: amount - loan.netDisbursed });
  }
  return { lastDay, exits };
}
