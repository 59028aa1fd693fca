import { exactRepaymentSchedule } from './exact-repayment-schedule.js';
import { roundToRupee } from './instalment.js';
import type { Decimal } from './loan-decimal.js';
import type { Paise } from './money.js';

/** One instalment as it is shown; `number` counts from 1, all amounts are paise of whole rupees. */
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
 * table and the last closing balance is exactly zero.
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
  return exactRepaymentSchedule(principal, annualRatePercent, months).map((row) => ({
    number: row.number,
    openingBalance: roundToRupee(row.openingBalance),
    principal: roundToRupee(row.principal),
    interest: roundToRupee(row.interest),
    instalment: roundToRupee(row.instalment),
    closingBalance: roundToRupee(row.closingBalance),
  }));
}
