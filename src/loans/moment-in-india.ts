/** India has one time zone and no summer time. */
const IST_OFFSET_MS = (5 * 60 + 30) * 60 * 1000;

/** A calendar date and a time of day in India; month from 1, hour from 0. */
export interface MomentInIndia {
  readonly day: number;
  readonly month: number;
  readonly year: number;
  readonly hour: number;
  readonly minute: number;
}

/** What calendar and clock show in India at an instant. */
export function momentInIndia(instant: Date): MomentInIndia {
  const local = new Date(instant.getTime() + IST_OFFSET_MS);
  return {
    day: local.getUTCDate(),
    month: local.getUTCMonth() + 1,
    year: local.getUTCFullYear(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}
