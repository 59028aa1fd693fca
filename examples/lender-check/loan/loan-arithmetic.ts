import { Decimal } from 'decimal.js';
import type { Fee, Offer } from './offer.ts';

const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP });
type Exact = Decimal;

const DAYS_A_MONTH = 30;
const INDIA_OFFSET_MS = 5.5 * 3_600_000;
const DAY_MS = 86_400_000;
/** Each halves the interval from 0 to 1, so the monthly rate is exact to 18 decimals. */
const ROUNDS = 60;

/** P·i·(1+i)^n / ((1+i)^n − 1), unrounded, in paise. */
export function exactInstalment({ principal, rate, tenureMonths }: Offer): Exact {
  const monthly = new Exact(rate.annualPercent).div(1200);
  if (monthly.isZero()) return new Exact(principal).div(tenureMonths);
  const growth = monthly.plus(1).pow(tenureMonths);
  return monthly.times(principal).times(growth).div(growth.minus(1));
}

export function inWholeRupees(paise: Exact): number {
  return paise.div(100).toDecimalPlaces(12).toDecimalPlaces(0).times(100).toNumber();
}

export function sumOfFees(fees: readonly Fee[], ...due: readonly Fee['due'][]): number {
  return fees.reduce((sum, fee) => sum + (due.includes(fee.due) ? fee.amount : 0), 0);
}

interface Flow {
  readonly amount: Exact;
  /** Whole and part months after the payout. */
  readonly months: number;
  readonly part: number;
}

/**
 * Twelve times the monthly internal rate of return, in percent: Annex B of RBI/2024-25/18. Other schedules use unit
 * periods, part months in days over 30. Assumes a payout today; fees due earlier or later count as paid by the
 * borrower.
 */
export function annualPercentageRate(offer: Offer, today: Date): Exact {
  const { principal, fees } = offer;
  const net = new Exact(principal - sumOfFees(fees, 'AT_PAYOUT', 'BEFORE_PAYOUT'));
  const flows = [...repayments(offer, today), ...laterFees(fees, today)];
  let low = new Exact(0);
  let high = new Exact(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const middle = low.plus(high).div(2);
    if (presentValue(flows, middle).greaterThan(net)) low = middle;
    else high = middle;
  }
  return low.times(1200);
}

function repayments(offer: Offer, today: Date): readonly Flow[] {
  const { schedule } = offer.repayment;
  if (schedule) {
    return schedule.map(({ dueOn, amount }) => ({
      amount: new Exact(amount),
      ...periods(today, dueOn),
    }));
  }
  const amount = exactInstalment(offer);
  return Array.from({ length: offer.tenureMonths }, (_, month) => ({
    amount,
    months: month + 1,
    part: 0,
  }));
}

function laterFees(fees: readonly Fee[], today: Date): readonly Flow[] {
  return fees.flatMap(({ due, dueOn, amount }) =>
    due === 'LATER' && dueOn ? [{ amount: new Exact(amount), ...periods(today, dueOn) }] : [],
  );
}

function presentValue(flows: readonly Flow[], monthly: Exact): Exact {
  const perMonth = monthly.plus(1);
  let sum = new Exact(0);
  let months = 0;
  let growth = new Exact(1);
  for (const flow of flows) {
    // Consecutive flows are mostly a month apart: multiplying is much cheaper than a new power.
    growth = growth.times(perMonth.pow(flow.months - months));
    months = flow.months;
    const whole = flow.part === 0 ? growth : growth.times(monthly.times(flow.part).plus(1));
    sum = sum.plus(flow.amount.div(whole));
  }
  return sum;
}

function periods(today: Date, dueOn: string): { months: number; part: number } {
  const from = indianDay(today);
  const [year = 0, month = 0, day = 0] = dueOn.split('-').map(Number);
  const due = Date.UTC(year, month - 1, day);
  let months = 0;
  while (addMonths(from, months + 1) <= due) months += 1;
  const days = Math.max(0, Math.round((due - addMonths(from, months)) / DAY_MS));
  return { months, part: days / DAYS_A_MONTH };
}

/** The same day of a later month, or its last one. */
function addMonths(day: number, months: number): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last));
}

/** The midnight of the day in India, as if it were UTC. */
export function indianDay(moment: Date): number {
  return Math.floor((moment.getTime() + INDIA_OFFSET_MS) / DAY_MS) * DAY_MS;
}

/** Working days (Monday to Friday) after the day of `from`, up to and including the day of `until`. */
export function workingDaysBetween(from: Date, until: Date): number {
  const last = indianDay(until);
  let count = 0;
  for (let day = indianDay(from) + DAY_MS; day <= last && count < DAYS_A_MONTH; day += DAY_MS) {
    const weekday = new Date(day).getUTCDay();
    if (weekday !== 0 && weekday !== 6) count += 1;
  }
  return count;
}
