interface State {
  readonly isRetry: boolean;
  /** Whether its receiver has answered, and a success is all that is left to record. */
  isServed: boolean;
  /** When it may be claimed again, by the machine's monotonic clock. */
  readonly until: number;
}

/** The deliveries of one lane from their start to their record, counted as they come and go. */
export class InFlight {
  private readonly states = new Map<string, State>();
  private busyCount = 0;
  private retryCount = 0;

  /** Those that take up the lane's room: whose receivers have not answered, or with a failure. */
  get busy(): number {
    return this.busyCount;
  }

  get retries(): number {
    return this.retryCount;
  }

  get ids(): string[] {
    return [...this.states.keys()];
  }

  /** @param until when it may be claimed again, if it has not ended by then */
  start(id: string, isRetry: boolean, until = Number.POSITIVE_INFINITY): void {
    this.end(id);
    this.states.set(id, { isRetry, isServed: false, until });
    this.busyCount += 1;
    if (isRetry) this.retryCount += 1;
  }

  /** It has been delivered, and takes up no room any more. */
  serve(id: string): void {
    const state = this.states.get(id);
    if (!state || state.isServed) return;
    state.isServed = true;
    this.busyCount -= 1;
  }

  end(id: string): void {
    const state = this.states.get(id);
    if (!state) return;
    this.states.delete(id);
    if (!state.isServed) this.busyCount -= 1;
    if (state.isRetry) this.retryCount -= 1;
  }

  endOverdue(now: number): void {
    for (const [id, { until }] of this.states) if (until <= now) this.end(id);
  }

  isNoneBut(ids: ReadonlySet<string>): boolean {
    for (const id of this.states.keys()) if (!ids.has(id)) return false;
    return true;
  }
}
