import type { FieldProblem } from '../platform/index.js';

const MIN_AGE = 18;

/** @param dob, today YYYY-MM-DD */
function isOfAge(dob: string, today: string): boolean {
  // Years are taken off today: added to a date of birth they may come to five digits, and as texts
  // only dates of the same length compare as dates do.
  const latestYear = Number(today.slice(0, 4)) - MIN_AGE;
  return dob <= `${latestYear}${today.slice(4)}`;
}

/** Names a date of birth that is too young, unless it has been named for something else. */
export function checkAge(dob: string | undefined, problems: FieldProblem[], today: string): void {
  const field = 'customer.dob';
  if (dob === undefined || problems.some((problem) => problem.field === field)) return;
  if (isOfAge(dob, today)) return;
  problems.push({ field, message: `must be the date of birth of someone ${MIN_AGE} or older` });
}
