import { expect, it } from 'vitest';
import { inChunks } from './in-chunks.js';

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
