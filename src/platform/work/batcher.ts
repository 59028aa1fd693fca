/** For single reads that an index answers: two batches under way keep the database busy. */
export const READS_A_BATCH = { mostItems: 128, mostInFlight: 2 } as const;

interface BatcherOptions<Item, Result> {
  /** Handles many items in one go and answers one result an item, in the same order. */
  readonly run: (items: Item[]) => Promise<Result[]>;
  readonly mostItems: number;
  readonly mostInFlight: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets simultaneous callers share one round trip: what arrives while the allowed number of batches
 * is under way waits for the next one. An idle batcher sends at the end of the current turn of the
 * event loop, so a lone caller waits for nobody.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private inFlight = 0;
  private isScheduled = false;

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.inFlight >= this.options.mostInFlight) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const batch = this.waiting.splice(0, this.options.mostItems);
    if (batch.length === 0) return;
    this.inFlight += 1;
    if (this.waiting.length > 0) this.schedule();
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch lacks a result for every item');
      batch.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    } finally {
      this.inFlight -= 1;
      if (this.waiting.length > 0) this.schedule();
    }
  }
}
