import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BatchQueue } from './batch-queue.js';

let batches: number[][];

function queue(options: { restMs?: number; maxItems?: number } = {}): BatchQueue<number> {
  return new BatchQueue({
    run: (items) => {
      batches.push(items);
      return Promise.resolve();
    },
    maxItems: options.maxItems ?? 10,
    maxInFlight: 1,
    restMs: options.restMs,
  });
}

/** Lets everything happen that is due now. */
function now(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(1);
}

beforeEach(() => {
  vi.useFakeTimers();
  batches = [];
});

afterEach(() => vi.useRealTimers());

describe('a batch queue', () => {
  it('sends what arrives in one turn together, at the end of it', async () => {
    const idle = queue({ restMs: 10 });
    for (const item of [1, 2]) idle.add(item);
    expect(batches).toEqual([]);
    await now();
    expect(batches).toEqual([[1, 2]]);
  });

  it('gathers for a rest after a batch, and then sends at once again', async () => {
    const resting = queue({ restMs: 20 });
    resting.add(1);
    await now();
    resting.add(2);
    await vi.advanceTimersByTimeAsync(15);
    resting.add(3);
    await now();
    expect(batches).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(10);
    expect(batches).toEqual([[1], [2, 3]]);
    await vi.advanceTimersByTimeAsync(20);
    resting.add(4);
    await now();
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  it('is drained when nothing waits or is under way', async () => {
    const resting = queue({ restMs: 20 });
    await resting.drained();
    resting.add(1);
    await now();
    resting.add(2);
    let isDrained = false;
    const drained = resting.drained().then(() => {
      isDrained = true;
    });
    await now();
    expect(isDrained).toBe(false);
    await vi.advanceTimersByTimeAsync(25);
    await drained;
    expect(batches).toEqual([[1], [2]]);
  });

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

  it('does not rest once a batch is full', async () => {
    const full = queue({ restMs: 20, maxItems: 2 });
    full.add(1);
    await now();
    for (const item of [2, 3, 4]) full.add(item);
    await now();
    expect(batches).toEqual([[1], [2, 3]]);
    await vi.advanceTimersByTimeAsync(25);
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });
});
