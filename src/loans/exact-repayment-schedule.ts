import { exactInstalment, monthlyRate } from './instalment.js';
import { LoanDecimal, type Decimal } from './loan-decimal.js';
import type { Paise } from './money.js';

/** One instalment before any rounding; all amounts in paise. */
export interface ExactScheduleRow {
  number: number;
  openingBalance: Decimal;
  principal: Decimal;
  interest: Decimal;
  instalment: Decimal;
  closingBalance: Decimal;
}

/**
 * The unrounded repayment schedule by the reducing balance method, in paise.
 *
 * The last instalment repays whatever is open. That differs from the others only in digits beyond the
 * thirtieth, and makes the loan close at exactly zero.
 * @throws RangeError as exactInstalment does.
 */
export function exactRepaymentSchedule(
  principal: Paise,
  annualRatePercent: Decimal.Value,
  months: number,
): ExactScheduleRow[] {
  const instalment = exactInstalment(principal, annualRatePercent, months);
  const rate = monthlyRate(annualRatePercent);
  const rows: ExactScheduleRow[] = [];
  let balance: Decimal = new LoanDecimal(principal);
  for (let number = 1; number <= months; number += 1) {
    const interest = balance.times(rate);
    const repaid = number === months ? balance : instalment.minus(interest);
    const closingBalance = balance.minus(repaid);
    rows.push({
      number,
      openingBalance: balance,
      principal: repaid,
      interest,
      instalment: repaid.plus(interest),
      closingBalance,
    });
    balance = closingBalance;
  }
  return rows;
}
