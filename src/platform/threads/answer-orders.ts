import { parentPort } from 'node:worker_threads';
import { BatchQueue } from '../work/batch-queue.js';
import { type Answered, type Answers, MAX_PER_MESSAGE, type Orders, partsOf } from './messages.js';

/**
 * The thread's side of an `AnsweringThread`: works on every order at once and answers in whatever
 * order they end. What ends in one moment goes back together.
 * @param end lets go of what the thread holds, once it is told to end
 */
export function answerOrders(
  answer: (order: never) => Promise<unknown>,
  end: () => Promise<void>,
): void {
  if (!parentPort) throw new Error('this file is run as a worker thread');
  const port = parentPort;
  const ready = new BatchQueue<Answered<unknown>>({
    run: (answers) => Promise.resolve(port.postMessage(answers satisfies Answers<unknown>)),
    maxItems: MAX_PER_MESSAGE,
    maxInFlight: 1,
  });

  const work = async (id: number, order: unknown) => {
    try {
      ready.add({ id, answer: await answer(order as never) });
    } catch (error) {
      ready.add({ id, error: partsOf(error) });
    }
  };
  const close = async () => {
    await end();
    await ready.drained();
    // Without waiting for sockets whose other end is silent. It ends the thread alone.
    setImmediate(() => process.exit());
  };
  port.on('message', (orders: Orders) => {
    if (orders === 'end') void close();
    else for (const { id, order } of orders) void work(id, order);
  });
}
