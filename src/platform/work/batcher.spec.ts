import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';

interface Batch {
  items: number[];
  answer: () => void;
  fail: (error: Error) => void;
}

function held(maxItems = 10, maxInFlight = 1) {
  const batches: Batch[] = [];
  const batcher = new Batcher<number, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(items.map((item) => `r${item}`));
        batches.push({ items, answer, fail: reject });
      }),
    maxItems,
    maxInFlight,
  });
  return { batches, add: (...items: number[]) => items.map((item) => batcher.add(item)) };
}

async function turns(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await turn();
}

describe('a batcher', () => {
  it('puts the callers of one moment into one batch, each with its own result', async () => {
    const { batches, add } = held();
    const results = Promise.all(add(1, 2, 3));
    await turns();
    expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    batches[0].answer();
    expect(await results).toEqual(['r1', 'r2', 'r3']);
  });

  it('sends a full batch at once, and never has more under way, nor more items in one, than it may', async () => {
    const { batches, add } = held(2, 2);
    const results = Promise.all(add(1, 2, 3, 4, 5));
    const sent = () => batches.map(({ items }) => items);
    const full = [
      [1, 2],
      [3, 4],
    ];
    expect(sent()).toEqual(full);
    await turns();
    expect(sent()).toEqual(full);
    batches[1].answer();
    await turns();
    expect(sent()).toEqual([...full, [5]]);
    for (const { answer } of batches) answer();
    expect(await results).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
  });

  it('tells a failure to the callers of that batch alone, and goes on', async () => {
    const { batches, add } = held();
    const failed = Promise.allSettled(add(1, 2));
    await turns();
    const [next] = add(3);
    batches[0].fail(new Error('the database is away'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turns();
    batches[1].answer();
    expect(await next).toBe('r3');
  });
});
