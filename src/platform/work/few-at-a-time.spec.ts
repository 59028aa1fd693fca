import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fewAtATime, inChunks, within } from './few-at-a-time.js';

describe('work that is done a few at a time', () => {
  it('has so many side by side and no more, and answers in the order of its items', async () => {
    let running = 0;
    let most = 0;
    const results = await fewAtATime([5, 1, 4, 2, 3, 0], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turns = 0; turns < item; turns += 1) await turn();
      running -= 1;
      return `r${item}`;
    });
    expect(results).toEqual(['r5', 'r1', 'r4', 'r2', 'r3', 'r0']);
    expect(most).toBe(2);
  });

  it('may be none at all, or fewer than could be', async () => {
    expect(await fewAtATime([], 4, () => Promise.resolve(1))).toEqual([]);
    expect(await fewAtATime([7], 4, (item) => Promise.resolve(item))).toEqual([7]);
  });

  it('throws what a piece throws', async () => {
    const failing = fewAtATime([1, 2, 3], 2, (item) =>
      item === 2 ? Promise.reject(new Error('no')) : Promise.resolve(item),
    );
    await expect(failing).rejects.toThrow('no');
  });
});

it('work in chunks goes on from where the last one ended, to the end', async () => {
  const began: number[] = [];
  await inChunks(0, (after) => {
    began.push(after);
    return Promise.resolve(after < 6 ? after + 2 : null);
  });
  expect(began).toEqual([0, 2, 4, 6]);
});

it('work in chunks that never ends is left for the next pass', async () => {
  let chunks = 0;
  await inChunks(0, (after) => {
    chunks += 1;
    return Promise.resolve(after);
  });
  expect(chunks).toBe(500);
});

const MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function never(): Promise<string> {
  return new Promise(() => undefined);
}

describe('work with a deadline', () => {
  it('comes to what the work comes to, and leaves no timer behind', async () => {
    expect(await within(MS, Promise.resolve('done'), () => 'late')).toBe('done');
    const failing = within(MS, Promise.reject(new Error('no')), () => 'late');
    await expect(failing).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('comes to what is said of work that is late, not a moment before', async () => {
    const outcomes: string[] = [];
    void within(MS, never(), () => 'late').then((outcome) => outcomes.push(outcome));
    await vi.advanceTimersByTimeAsync(MS - 1);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual(['late']);
  });

  it('throws what is thrown of work that is late', async () => {
    const late = within(MS, never(), () => {
      throw new Error('no answer in time');
    }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(MS);
    expect(await late).toMatchObject({ message: 'no answer in time' });
  });

  it('hears no more of work that fails when it is late', async () => {
    const work = Promise.withResolvers<string>();
    const outcome = within(MS, work.promise, () => 'late');
    await vi.advanceTimersByTimeAsync(MS);
    work.reject(new Error('too late to matter'));
    expect(await outcome).toBe('late');
  });
});
