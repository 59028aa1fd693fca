const DAY_MS = 86_400_000;
/** The date that becomes yesterday. */
const WRITTEN_ON = Date.UTC(2026, 0, 31);
const DAY_OF_MOMENT = /\b\d{4}-\d\d-\d\d(?=T\d\d:\d\d:)/g;

/** @returns the text with every time moved by whole days to yesterday, so that the examples work when sent */
export function withRecentMoments(text: string, now: Date): string {
  const movedByMs = Date.parse(dayOf(now)) - DAY_MS - WRITTEN_ON;
  return text.replaceAll(DAY_OF_MOMENT, (day) => dayOf(new Date(Date.parse(day) + movedByMs)));
}

/** YYYY-MM-DD, UTC. The examples' times change with it. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
