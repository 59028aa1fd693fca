import { addDays, daysOfLeastWorkingDays } from '../../loans/index.js';
import { type FieldProblem, isCalendarDate } from '../../platform/index.js';
import type { LenderSection } from './lender-section.js';
import { type Placed, repeated } from './placed.js';
import { MIN_OFFER_DAYS } from './product-terms-section.js';

const LIST = 'settings.bankHolidays';
// A week without a holiday holds five working days, so a short stretch begins at most a week before
// one.
const DAYS_AHEAD = 7;

export function bankHolidayMistakes(days: readonly string[]): FieldProblem[] {
  const placed = days.map((text, index) => ({ path: `${LIST}[${index}]`, text }));
  const unreal = placed.filter(({ text }) => !isCalendarDate(text));
  return [
    ...unreal.map(({ path }) => ({
      field: path,
      message: 'must be a day that exists, YYYY-MM-DD',
    })),
    ...repeated(placed, 'stands twice: this day is in the list already'),
  ];
}

export function offerDaysMistakes(
  lenders: readonly Placed<LenderSection>[],
  days: readonly string[],
): FieldProblem[] {
  const { least, from } = minOfferDays(days);
  const message = `must be at least ${least}: for bank holidays, fewer days after ${from} hold no three working days`;
  return lenders.flatMap(({ path, section }) =>
    [...section.products]
      .filter(([, { offerValidDays }]) => offerValidDays < least)
      .map(([code]) => ({ field: `${path}.products.${code}.offerValidDays`, message })),
  );
}

/** The days that always hold enough working days, and the worst start. */
function minOfferDays(days: readonly string[]): { least: number; from: string } {
  const holidays = new Set(days);
  let worst = { least: MIN_OFFER_DAYS, from: '' };
  for (const holiday of holidays) {
    for (let ahead = 1; ahead <= DAYS_AHEAD; ahead += 1) {
      const from = addDays(holiday, -ahead);
      const least = daysOfLeastWorkingDays(from, holidays);
      if (least > worst.least) worst = { least, from };
    }
  }
  return worst;
}
