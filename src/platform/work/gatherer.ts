interface GathererOptions<Item> {
  /** Handles many items in one go, and its own errors. */
  readonly run: (items: Item[]) => Promise<void>;
  readonly mostItems: number;
  readonly mostInFlight: number;
  /** What a gatherer waits after a batch, so that the next one is worth its round trip. */
  readonly restMs?: number;
}

/**
 * Gathers what arrives while the allowed number of batches is under way, and for a rest after one,
 * into the next batch; a full one does not wait for the rest. An idle gatherer sends at the end of
 * the current turn of the event loop, so a lone item waits for nothing.
 */
export class Gatherer<Item> {
  private waiting: Item[] = [];
  private inFlight = 0;
  private isScheduled = false;
  private restsUntil = Number.NEGATIVE_INFINITY;
  private resting?: NodeJS.Timeout;
  private whenDrained: (() => void)[] = [];

  constructor(private readonly options: GathererOptions<Item>) {}

  add(item: Item): void {
    this.waiting.push(item);
    this.schedule();
  }

  /** Resolves when nothing is waiting or under way. */
  async drained(): Promise<void> {
    if (this.waiting.length === 0 && this.inFlight === 0) return;
    await new Promise<void>((resolve) => this.whenDrained.push(resolve));
  }

  private schedule(): void {
    if (this.isScheduled || this.inFlight >= this.options.mostInFlight) return;
    if (this.waiting.length === 0 || this.isResting()) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.flush();
    });
  }

  private isResting(): boolean {
    const isFull = this.waiting.length >= this.options.mostItems;
    if (this.resting && !isFull) return true;
    clearTimeout(this.resting);
    this.resting = undefined;
    const leftMs = isFull ? 0 : this.restsUntil - performance.now();
    if (leftMs <= 0) return false;
    this.resting = setTimeout(() => {
      this.resting = undefined;
      this.restsUntil = Number.NEGATIVE_INFINITY;
      this.schedule();
    }, leftMs);
    return true;
  }

  private async flush(): Promise<void> {
    const batch = this.waiting.splice(0, this.options.mostItems);
    this.inFlight += 1;
    this.schedule();
    try {
      await this.options.run(batch);
    } finally {
      this.inFlight -= 1;
      if (this.options.restMs) this.restsUntil = performance.now() + this.options.restMs;
      this.schedule();
      if (this.waiting.length === 0 && this.inFlight === 0) {
        for (const resolve of this.whenDrained.splice(0)) resolve();
      }
    }
  }
}
