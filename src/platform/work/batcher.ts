import { BatchQueue } from './batch-queue.js';

/** For reads by an index: two batches under way keep the database busy. */
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

/** Simultaneous callers share a round trip. `run` returns one result an item, in the same order. */
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
