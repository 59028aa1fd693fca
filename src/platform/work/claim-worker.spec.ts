import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClaimWorker } from './claim-worker.js';
import { UNWOKEN_MS } from './due-poller.js';

const SLOTS = 2;

let due: number[];
/** What is being worked on, until the test ends it. */
let running: Map<number, () => void>;
let asked: number[];
let worker: ClaimWorker<number>;

function workerOf(before?: () => Promise<number>): ClaimWorker<number> {
  return new ClaimWorker({
    name: 'test',
    slots: SLOTS,
    claim: (free) => {
      asked.push(free);
      return Promise.resolve(due.splice(0, free));
    },
    work: (one) => new Promise<void>((resolve) => running.set(one, resolve)),
    before,
  });
}

function end(one: number): void {
  running.get(one)?.();
  running.delete(one);
}

function now(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  [due, running, asked] = [[1, 2, 3], new Map(), []];
  worker = workerOf();
});

afterEach(async () => {
  due = [];
  const stopped = worker.stop();
  for (const one of running.keys()) end(one);
  await stopped;
  vi.useRealTimers();
});

describe('a worker that claims', () => {
  it('claims into free slots alone, and more as soon as one is free', async () => {
    worker.start();
    worker.wake();
    await now();
    expect([...running.keys()]).toEqual([1, 2]);
    end(2);
    await now();
    expect([...running.keys()]).toEqual([1, 3]);
    expect(asked).toEqual([2, 1]);
  });

  it('looks when it is woken, and by itself after a while', async () => {
    due = [];
    worker.start();
    worker.wake();
    await now();
    due = [1];
    worker.wake();
    await now();
    expect([...running.keys()]).toEqual([1]);
    due = [2];
    await vi.advanceTimersByTimeAsync(UNWOKEN_MS);
    expect([...running.keys()]).toEqual([1, 2]);
  });

  it('does what comes before a look even while no slot is free, as long as there is some', async () => {
    const before = vi.fn<() => Promise<number>>().mockResolvedValue(0);
    worker = workerOf(before);
    worker.start();
    worker.wake();
    await now();
    before.mockClear().mockResolvedValueOnce(5);
    worker.wake();
    await now();
    expect(before).toHaveBeenCalledTimes(2);
    expect(asked).toEqual([2]);
  });

  it('lets what is in progress end before it has stopped, and claims nothing more', async () => {
    worker.start();
    worker.wake();
    await now();
    let isStopped = false;
    const stopped = worker.stop().then(() => (isStopped = true));
    await now();
    expect([worker.isStopping, isStopped]).toEqual([true, false]);
    end(1);
    end(2);
    await stopped;
    expect(due).toEqual([3]);
  });
});
