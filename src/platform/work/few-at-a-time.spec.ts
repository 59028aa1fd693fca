import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fewAtATime } from './few-at-a-time.js';

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
