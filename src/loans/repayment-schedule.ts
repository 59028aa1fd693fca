import { exactRepaymentSchedule } from './exact-repayment-schedule.js';
import { exactInstalment, roundToRupee } from './instalment.js';
import { totalPayable } from './quote.js';
import type { Decimal } from './loan-decimal.js';
import type { Paise } from './money.js';

/** One instalment as it is shown; `number` counts from 1, all amounts are paise. */
export interface ScheduleRow {
  number: number;
  openingBalance: Paise;
  principal: Paise;
  interest: Paise;
  instalment: Paise;
  closingBalance: Paise;
}

/**
 * The repayment schedule as Annex C of RBI/2024-25/18 shows it, one row for each month.
 *
 * It is computed unrounded and each cell is rounded half up to the rupee by itself, so a row's
 * principal and interest may differ from its instalment by a rupee, but no error is carried down the
 * table and the last closing balance is exactly zero. The last instalment makes up for the rounding of the others:
 * together they come to the quote's `totalPayable`, and never to more before the end.
 * @param principal in paise, above zero
 * @param annualRatePercent percent a year on the reducing balance, 0 to 100
 * @param months number of instalments, 1 to 600
 * @throws RangeError when an argument is outside its range.
 */
export function repaymentSchedule(
  principal: Paise,
  annualRatePercent: Decimal.Value,
  months: number,
): ScheduleRow[] {
  let unpaid = totalPayable({ principal, annualRatePercent, tenureMonths: months });
  return exactRepaymentSchedule(principal, annualRatePercent, months).map((row) => {
    const instalment =
      row.number === months ? unpaid : Math.min(roundToRupee(row.instalment), unpaid);
    unpaid -= instalment;
    return {
      number: row.number,
      openingBalance: roundToRupee(row.openingBalance),
      principal: roundToRupee(row.principal),
      interest: roundToRupee(row.interest),
      instalment,
      closingBalance: roundToRupee(row.closingBalance),
    };
  });
}

/**
 * What closes the loan: the instalment of the schedule's last row, in paise.
 * @throws RangeError as repaymentSchedule does.
 */
export function lastInstalment(
  principal: Paise,
  annualRatePercent: Decimal.Value,
  months: number,
): Paise {
  const regular = roundToRupee(exactInstalment(principal, annualRatePercent, months));
  const total = totalPayable({ principal, annualRatePercent, tenureMonths: months });
  return total - Math.min(regular * (months - 1), total);
}

/** What all instalments of a schedule come to, in paise. */
export function scheduleTotal(schedule: readonly ScheduleRow[]): Paise {
  return schedule.reduce((sum, { instalment }) => sum + instalment, 0);
}
