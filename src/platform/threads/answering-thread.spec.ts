import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnsweringThread, ThreadEnded } from './answering-thread.js';

const MOODY = `
  import { parentPort, workerData } from 'node:worker_threads';
  let isDeaf = false;
  const answer = (id, order) => {
    if (order === 'fail') return { id, error: { message: 'no', parts: { code: '57P01' } } };
    return { id, answer: workerData + order.toUpperCase() };
  };
  parentPort.on('message', (orders) => {
    if (orders === 'end') return isDeaf || process.exit(0);
    if (orders[0].order === 'deaf') isDeaf = true;
    if (orders.some(({ order }) => order === 'die')) throw new Error('of this');
    if (orders.some(({ order }) => order === 'spin')) for (;;);
    const answered = orders.filter(({ order }) => order !== 'keep');
    parentPort.postMessage(answered.map(({ id, order }) => answer(id, order)).reverse());
    parentPort.postMessage([{ id: 0, answer: orders.length }]);
  });
`;

let thread: AnsweringThread<string, string>;

function moody(hangsAfterMs?: number): AnsweringThread<string, string> {
  const file = new URL(`data:text/javascript,${encodeURIComponent(MOODY)}`);
  return new AnsweringThread({ name: 'moods', file, workerData: 'here: ', hangsAfterMs });
}

let logged: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
});

afterEach(() => thread.end());

describe('a thread that answers', () => {
  it('is asked many things at once, and answers each as it can', async () => {
    thread = moody();
    const answers = ['a', 'b', 'c'].map((order) => thread.ask(order));
    expect(await Promise.all(answers)).toEqual(['here: A', 'here: B', 'here: C']);
  });

  it('is another one after it died, and what the dead one had not answered fails', async () => {
    thread = moody();
    const kept = thread.ask('keep').catch((error: unknown) => error);
    expect(await thread.ask('a')).toBe('here: A');
    await expect(thread.ask('die')).rejects.toThrow(ThreadEnded);
    expect(await kept).toMatchObject({
      message: 'the thread of moods has ended',
      cause: expect.objectContaining({ message: 'of this' }) as Error,
    });
    expect(logged).toHaveBeenCalledTimes(1);
    expect(await thread.ask('b')).toBe('here: B');
  });

  it('is another one after it hung', async () => {
    thread = moody(1_000);
    await expect(thread.ask('spin')).rejects.toThrow(ThreadEnded);
    expect(await thread.ask('a')).toBe('here: A');
  });

  it('ends with what it was asked before, and without anything to end', async () => {
    thread = moody();
    await thread.end();
    const answer = thread.ask('a');
    await thread.end();
    expect(await answer).toBe('here: A');
  });
});
