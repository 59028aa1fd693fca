import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batcher, BatchQueue } from './batcher.js';

interface Batch {
  items: number[];
  answer: (results: string[]) => void;
  fail: (error: Error) => void;
}

function held(options: { maxItems?: number; maxInFlight?: number } = {}) {
  const batches: Batch[] = [];
  const batcher = new Batcher<number, string>({
    run: (items) =>
      new Promise((resolve, reject) => batches.push({ items, answer: resolve, fail: reject })),
    maxItems: options.maxItems ?? 10,
    maxInFlight: options.maxInFlight ?? 1,
  });
  return { batches, batcher };
}

function answerAll({ items, answer }: Batch): void {
  answer(items.map((item) => `r${item}`));
}

describe('a batcher', () => {
  it('puts the callers of one moment into one batch, each with its own result', async () => {
    const { batches, batcher } = held();
    const results = Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)]);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    answerAll(batches[0]);
    expect(await results).toEqual(['r1', 'r2', 'r3']);
  });

  it('never has more batches under way, nor more items in one, than it may', async () => {
    const { batches, batcher } = held({ maxItems: 2, maxInFlight: 2 });
    const results = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)));
    for (let i = 0; i < 5; i += 1) await turn();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    answerAll(batches[1]);
    for (let i = 0; i < 3; i += 1) await turn();
    expect(batches[2].items).toEqual([5]);
    answerAll(batches[0]);
    answerAll(batches[2]);
    expect(await results).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
  });

  it('tells a failure to the callers of that batch alone, and goes on', async () => {
    const { batches, batcher } = held();
    const failed = Promise.allSettled([batcher.add(1), batcher.add(2)]);
    await turn();
    const next = batcher.add(3);
    batches[0].fail(new Error('the database is away'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    answerAll(batches[1]);
    expect(await next).toBe('r3');
  });
});

let batches: number[][];

function now(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(1);
}

describe('a batch queue', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    batches = [];
  });

  afterEach(() => vi.useRealTimers());

  it('sends a full batch at once, and no more than may be under way', async () => {
    const ends: (() => void)[] = [];
    const slow = new BatchQueue<number>({
      run: (items) => {
        batches.push(items);
        return new Promise((resolve) => ends.push(resolve));
      },
      maxItems: 2,
      maxInFlight: 1,
    });
    for (const item of [1, 2, 3]) slow.add(item);
    expect(batches).toEqual([[1, 2]]);
    await now();
    expect(batches).toEqual([[1, 2]]);
    ends[0]();
    await now();
    expect(batches).toEqual([[1, 2], [3]]);
    for (const item of [4, 5, 6]) slow.add(item);
    expect(batches).toEqual([[1, 2], [3]]);
    ends[1]();
    await now();
    expect(batches).toEqual([[1, 2], [3], [4, 5]]);
  });
});
