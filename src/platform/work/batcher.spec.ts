import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';

interface Batch {
  items: number[];
  answer: (results: string[]) => void;
  fail: (error: Error) => void;
}

/** A batcher whose batches wait until the test answers them. */
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
  it('lets a lone caller wait for nobody', async () => {
    const { batches, batcher } = held();
    const result = batcher.add(1);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
    answerAll(batches[0]);
    expect(await result).toBe('r1');
  });

  it('puts the callers of one moment into one batch, each with its own result', async () => {
    const { batches, batcher } = held();
    const results = Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)]);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    answerAll(batches[0]);
    expect(await results).toEqual(['r1', 'r2', 'r3']);
  });

  it('gathers what arrives while a batch is under way, and sends it in order right after', async () => {
    const { batches, batcher } = held();
    const first = batcher.add(1);
    await turn();
    const later = Promise.all([batcher.add(2), batcher.add(3)]);
    await turn();
    expect(batches).toHaveLength(1);
    answerAll(batches[0]);
    await first;
    for (let i = 0; i < 2; i += 1) await turn();
    expect(batches[1].items).toEqual([2, 3]);
    answerAll(batches[1]);
    expect(await later).toEqual(['r2', 'r3']);
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

  it('treats a run that throws at once like one that fails', async () => {
    const batcher = new Batcher<number, string>({
      run: () => {
        throw new Error('at once');
      },
      maxItems: 10,
      maxInFlight: 1,
    });
    await expect(batcher.add(1)).rejects.toThrow('at once');
    await expect(batcher.add(2)).rejects.toThrow('at once');
  });

  it('fails every caller when there are not as many results as items', async () => {
    const { batches, batcher } = held();
    const results = Promise.allSettled([batcher.add(1), batcher.add(2)]);
    await turn();
    batches[0].answer(['r1']);
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
