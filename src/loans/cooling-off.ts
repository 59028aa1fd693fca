import { addDays, dayInIndia, daysFrom, type IndianDay } from './indian-day.js';
import { assertPrincipal, roundToRupee } from './instalment.js';
import { LoanDecimal } from './loan-decimal.js';
import type { Paise } from './money.js';

/** A loan that was paid out, as far as leaving it again goes. */
export interface PaidOutLoan {
  /** What arrived in the borrower's account, in paise. */
  readonly netDisbursed: Paise;
  /** Percent a year, as the Key Facts Statement states it. */
  readonly apr: number;
  readonly disbursedAt: Date;
  /** The cooling-off period in days, at least one. */
  readonly coolingOffDays: number;
}

/** What leaving the loan on a day costs; money in paise. */
export interface CoolingOffExit {
  readonly day: IndianDay;
  /** Whole days since the day of the payout. */
  readonly daysUsed: number;
  /** What is to be paid back. */
  readonly amount: Paise;
  /** How much of it is more than what was paid out. */
  readonly cost: Paise;
}

export interface CoolingOff {
  /** The last day on which the loan can be left, until its midnight in India. */
  readonly lastDay: IndianDay;
  /** From the day asked about to the last one; empty when the period is over. */
  readonly exits: readonly CoolingOffExit[];
}

const DAYS_A_YEAR = 365;

/**
 * The amount with which a borrower leaves a digital loan within its cooling-off period: what was
 * paid out and the APR on it for the days that they had it, rounded half up to the rupee.
 *
 * Source: RBI (Digital Lending) Directions, 2025, on the cooling-off period: exit "by paying the
 * principal and the proportionate APR without any penalty". The APR is the rate on what was paid
 * out and holds every charge (RBI/2024-25/18, Annex B), so it is taken on that amount: taken on the
 * sanctioned amount, the deducted charges would be paid twice. A lender may keep a processing fee
 * only if its Key Facts Statement says so, and ours states no such fee.
 * @param daysUsed whole days, from 0
 * @throws RangeError when the amount is not above zero, or a rate or the days are negative
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

/** What a day of a loan costs that is left within its cooling-off period, in paise, rounded half up to the rupee. */
export function coolingOffCostADay(loan: Pick<PaidOutLoan, 'netDisbursed' | 'apr'>): Paise {
  return coolingOffExitAmount(loan, 1) - coolingOffExitAmount(loan, 0);
}

/** The last day of the period: on it the loan can be left, until its midnight in India. */
export function lastCoolingOffDay({
  disbursedAt,
  coolingOffDays,
}: Pick<PaidOutLoan, 'disbursedAt' | 'coolingOffDays'>): IndianDay {
  return addDays(dayInIndia(disbursedAt), coolingOffDays);
}

/** Until when a loan can be left, and with how much on each day from `now` on. */
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
