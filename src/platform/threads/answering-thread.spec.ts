import { afterEach, describe, expect, it } from 'vitest';
import { AnsweringThread } from './answering-thread.js';

/** The other side by hand: it answers in capitals, and is moody. */
const MOODY = `
  import { parentPort, workerData } from 'node:worker_threads';
  const answer = (id, order) => {
    if (order === 'fail') return { id, error: { message: 'no', parts: { code: '57P01' } } };
    return { id, answer: workerData + order.toUpperCase() };
  };
  parentPort.on('message', (orders) => {
    if (orders === 'end') process.exit(0);
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
  return new AnsweringThread(file, { workerData: 'here: ' }, hangsAfterMs);
}

afterEach(() => thread.end());

describe('a thread that answers', () => {
  it('is asked many things at once, and answers each as it can', async () => {
    thread = moody();
    const answers = ['a', 'b', 'c'].map((order) => thread.ask(order));
    expect(await Promise.all(answers)).toEqual(['here: A', 'here: B', 'here: C']);
  });

  it('tells what an error had for a code', async () => {
    thread = moody();
    const [failed, fine] = await Promise.allSettled([thread.ask('fail'), thread.ask('a')]);
    expect(failed).toMatchObject({ reason: { message: 'no', code: '57P01' } });
    expect(failed).toMatchObject({ reason: expect.any(Error) as Error });
    expect(fine).toMatchObject({ value: 'here: A' });
  });

  it('is another one after it died, and what the dead one had not answered fails', async () => {
    thread = moody();
    const kept = thread.ask('keep').catch((error: unknown) => error);
    expect(await thread.ask('a')).toBe('here: A');
    await expect(thread.ask('die')).rejects.toThrow('Connection terminated');
    expect(await kept).toMatchObject({
      message: 'Connection terminated',
      cause: expect.objectContaining({ message: 'of this' }) as Error,
    });
    expect(await thread.ask('b')).toBe('here: B');
  });

  it('is another one after it hung', async () => {
    thread = moody(1_000);
    await expect(thread.ask('spin')).rejects.toThrow('Connection terminated');
    expect(await thread.ask('a')).toBe('here: A');
  });

  it('fails what it cannot be sent, and goes on', async () => {
    thread = moody();
    const unsendable = (() => 'a') as unknown as string;
    await expect(thread.ask(unsendable)).rejects.toThrow('could not be cloned');
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
