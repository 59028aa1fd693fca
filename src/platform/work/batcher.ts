interface BatchQueueOptions<Item> {
  readonly run: (items: Item[]) => Promise<void>;
  readonly maxItems: number;
  readonly maxInFlight: number;
  /** A pause after a batch, so that the next one is fuller. */
  readonly restMs?: number;
}

/** An idle queue sends at the end of the event-loop turn. */
export class BatchQueue<Item> {
  private waiting: Item[] = [];
  private inFlight = 0;
  private isScheduled = false;
  private restsUntil = Number.NEGATIVE_INFINITY;
  private resting?: NodeJS.Timeout;
  private whenDrained: (() => void)[] = [];

  constructor(private readonly options: BatchQueueOptions<Item>) {}

  add(item: Item): void {
    this.waiting.push(item);
    this.schedule();
  }

  /** Resolves when the queue is empty and idle. */
  async drained(): Promise<void> {
    if (this.waiting.length === 0 && this.inFlight === 0) return;
    await new Promise<void>((resolve) => this.whenDrained.push(resolve));
  }

  private schedule(): void {
    if (!this.isFree || this.waiting.length === 0 || this.isResting()) return;
    if (this.isFull) void this.flush();
    else this.sendAfterThisTurn();
  }

  private sendAfterThisTurn(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      // A full batch may already have been sent.
      if (this.isFree && this.waiting.length > 0) void this.flush();
    });
  }

  private get isFree(): boolean {
    return this.inFlight < this.options.maxInFlight;
  }

  private get isFull(): boolean {
    return this.waiting.length >= this.options.maxItems;
  }

  private isResting(): boolean {
    const { isFull } = this;
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
    const batch = this.waiting.splice(0, this.options.maxItems);
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

/** For index reads: two batches in flight keep the database busy. */
export const READS_A_BATCH = { maxItems: 128, maxInFlight: 2 } as const;

interface BatcherOptions<Item, Result> {
  readonly run: (items: Item[]) => Promise<Result[]>;
  readonly maxItems: number;
  readonly maxInFlight: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** `run` returns one result per item, in order. */
export class Batcher<Item, Result> {
  private readonly queue: BatchQueue<Waiting<Item, Result>>;

  constructor(private readonly options: BatcherOptions<Item, Result>) {
    const { maxItems, maxInFlight } = options;
    this.queue = new BatchQueue({ run: (batch) => this.answer(batch), maxItems, maxInFlight });
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => this.queue.add({ item, resolve, reject }));
  }

  private async answer(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch lacks a result for every item');
      batch.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    }
  }
}
