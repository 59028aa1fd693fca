/** A moment, for a program and for a person. */
export interface Stamp {
  readonly iso: string;
  readonly text: string;
}

/** To the millisecond and in UTC, as answers and events have it: `2026-11-21 05:30:00.123 UTC`. */
export function stamp(at: Date): Stamp {
  const iso = at.toISOString();
  return { iso, text: `${iso.slice(0, -1).replace('T', ' ')} UTC` };
}
