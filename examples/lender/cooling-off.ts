const DAY_MS = 86_400_000;
const INDIA_OFFSET_MS = 5.5 * 3_600_000;
const DAYS_A_YEAR = 365;

export interface Exit {
  /** Paise, to the rupee. */
  readonly amount: number;
  /** The amount grows daily, so it is valid until midnight in India. */
  readonly payUntil: string;
}

/**
 * The price of exiting a loan within its cooling-off period: the payout and its APR for the days used (RBI's digital
 * lending directions: "the principal and the proportionate APR without any penalty"). Null when the period is over.
 */
export function coolingOffExit(loan: {
  readonly netPayout: number;
  readonly apr: number;
  readonly paidAt: Date;
  readonly days: number;
  readonly requestedAt: Date;
}): Exit | null {
  const used = Math.max(indianDay(loan.requestedAt) - indianDay(loan.paidAt), 0);
  if (used > loan.days) return null;
  const charge = (loan.netPayout * loan.apr * used) / (100 * DAYS_A_YEAR);
  const amount = Math.floor((loan.netPayout + charge) / 100 + 0.5) * 100;
  const today = Math.max(indianDay(loan.requestedAt), indianDay(loan.paidAt));
  return { amount, payUntil: `${dayText(today)}T23:59:59+05:30` };
}

/** Days since 1970 in India. */
export function indianDay(moment: Date): number {
  return Math.floor((moment.getTime() + INDIA_OFFSET_MS) / DAY_MS);
}

/** YYYY-MM-DD */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
