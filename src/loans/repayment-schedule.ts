import { LRUCache } from 'lru-cache';
import { exactInstalment, monthlyRate, roundToRupee } from './instalment.js';
import { totalPayable } from './quote.js';
import { LoanDecimal, type Decimal, type Paise } from './money.js';

/** `number` counts from 1; amounts in paise. */
interface Row<Amount> {
  number: number;
  openingBalance: Amount;
  principal: Amount;
  interest: Amount;
  instalment: Amount;
  closingBalance: Amount;
}

export type ScheduleRow = Row<Paise>;

/**
 * Annex C of RBI/2024-25/18. Each cell is rounded half up to the rupee separately, so parts may differ from their
 * instalment by a rupee. The last instalment makes the sum the quote's `totalPayable`.
 * @throws RangeError as exactInstalment
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

// Partners read a journey every few seconds; a fifth of a read's processor time went into these powers.
const lastInstalments = new LRUCache<string, Paise>({ max: 10_000 });

/** @throws RangeError as repaymentSchedule */
export function lastInstalment(principal: Paise, annualRatePercent: number, months: number): Paise {
  const key = `${principal} ${annualRatePercent} ${months}`;
  const known = lastInstalments.get(key);
  if (known !== undefined) return known;
  const last = computedLastInstalment(principal, annualRatePercent, months);
  lastInstalments.set(key, last);
  return last;
}

function computedLastInstalment(
  principal: Paise,
  annualRatePercent: number,
  months: number,
): Paise {
  const regular = roundToRupee(exactInstalment(principal, annualRatePercent, months));
  const total = totalPayable({ principal, annualRatePercent, tenureMonths: months });
  return total - Math.min(regular * (months - 1), total);
}

export function scheduleTotal(schedule: readonly ScheduleRow[]): Paise {
  return schedule.reduce((sum, { instalment }) => sum + instalment, 0);
}

/**
 * The last instalment repays the open balance: it differs only beyond the thirtieth digit.
 * @throws RangeError as exactInstalment
 */
export function exactRepaymentSchedule(
  principal: Paise,
  annualRatePercent: Decimal.Value,
  months: number,
): Row<Decimal>[] {
  const instalment = exactInstalment(principal, annualRatePercent, months);
  const rate = monthlyRate(annualRatePercent);
  const rows: Row<Decimal>[] = [];
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
