const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that exists, YYYY-MM-DD: JavaScript takes 31 February for 3 March. */
export function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
