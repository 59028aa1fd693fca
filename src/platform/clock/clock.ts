/** What time it is, for everything that reads it in code; SQL reads `app_now()`. */
export abstract class Clock {
  abstract now(): Date;

  /** Whole seconds since the Unix epoch. */
  epochSeconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }
}

/** The machine's time, which never travels: by it is dated and judged what is signed. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

/** The machine's time moved by an offset: the sandbox's and the tests' clock. */
export class OffsetClock extends Clock {
  private offsetMs = 0;

  /** How far it is moved, in milliseconds. */
  get offset(): number {
    return this.offsetMs;
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  setOffset(milliseconds: number): void {
    this.offsetMs = milliseconds;
  }
}

/**
 * A moment ahead of a system outside, as far ahead on this clock: nothing outside travels with a sandbox.
 * @param moment ISO 8601; it is the same wherever time was not moved
 */
export function onClock(clock: Clock, moment: string): string {
  if (movedBy(clock) === 0) return moment;
  return new Date(Date.parse(moment) + movedBy(clock)).toISOString();
}

function movedBy(clock: Clock): number {
  return clock instanceof OffsetClock ? clock.offset : 0;
}

/** What time it is where a sandbox's time was moved; null wherever it is the machine's. */
export function movedTime(clock: Clock): Date | null {
  return movedBy(clock) === 0 ? null : clock.now();
}
