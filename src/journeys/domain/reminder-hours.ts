import { addDays, instantInIndia, lastCoolingOffDay } from '../../loans/index.js';

/** Hours of the day in India between which somebody is reminded of something. */
const FROM_HOUR = 10;
const UNTIL_HOUR = 20;

/** From when until when a text may leave. */
export interface SendingTime {
  readonly dueAt: Date;
  readonly endsAt: Date;
}

/** When somebody is told that tomorrow is the last day to leave the loan: by day, on the day before it. */
export function coolingOffReminder(loan: {
  readonly disbursedAt: Date;
  /** At least one. */
  readonly coolingOffDays: number;
}): SendingTime {
  const day = addDays(lastCoolingOffDay(loan), -1);
  return { dueAt: instantInIndia(day, FROM_HOUR), endsAt: instantInIndia(day, UNTIL_HOUR) };
}
