/** SQL reads `app_now()` instead. */
export abstract class Clock {
  abstract now(): Date;

  epochSeconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }
}

/** Never moved, so that signatures use the real time. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

export class OffsetClock extends Clock {
  private offsetMs = 0;

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

/** Moves an external time (ISO 8601) to this clock. */
export function onClock(clock: Clock, moment: string): string {
  if (movedBy(clock) === 0) return moment;
  return new Date(Date.parse(moment) + movedBy(clock)).toISOString();
}

function movedBy(clock: Clock): number {
  return clock instanceof OffsetClock ? clock.offset : 0;
}

/** Null unless a sandbox moved the time. */
export function movedTime(clock: Clock): Date | null {
  return movedBy(clock) === 0 ? null : clock.now();
}
